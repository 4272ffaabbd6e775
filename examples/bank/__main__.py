"""`python -m bank`: write the bank, list what was planted, serve it over MCP, and print its tools for the gateway's table."""

import argparse
import asyncio
import json

from pathlib import Path
from typing import Final

from bank.build import PLANTED, SEED, build

SERVERS: Final = {"npa": ("npa",), "orm": ("orm",), "desk": ("desk", "dce")}
"""Each server with the modules of its tools."""


def main() -> None:
    """Run a command."""
    options = _parser().parse_args()
    if options.command == "build":
        print(build(options.folder, options.seed))
    elif options.command == "planted":
        build(options.folder, options.seed)
        print((options.folder / PLANTED).read_text(), end="")
    elif options.command == "rows":
        # Needs the gateway beside it, as nothing else here does.
        from bank.rows import text  # noqa: PLC0415

        print(text(), end="")
    else:
        serve(options)


def serve(options: argparse.Namespace) -> None:
    """Offer the tools of one server, over pipes or, with a port, over streamable HTTP on this machine alone."""
    # What only servers need takes a second to import.
    from importlib import import_module  # noqa: PLC0415

    from bank.servers.serving import over_pipes, server_of  # noqa: PLC0415
    from ctxgate_source import make_key, read_key  # noqa: PLC0415

    tools = [tool for name in SERVERS[options.server] for tool in import_module(f"bank.servers.{name}").TOOLS]
    key = read_key(options.key) if options.key else make_key(f"{options.server}-of-this-run")
    user = json.loads(options.user.read_text()) if options.user else None
    server = server_of(f"bank-{options.server}", tools, options.database, key, user)
    if options.port is None:
        asyncio.run(over_pipes(server))
        return
    import uvicorn  # noqa: PLC0415

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(app, host="127.0.0.1", port=options.port, log_level="warning")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bank", description="A made-up bank and its systems of record.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in (("build", "write the database"), ("planted", "list what was planted in it")):
        command = commands.add_parser(name, help=words)
        command.add_argument("folder", type=Path)
        command.add_argument("--seed", type=int, default=SEED)
    commands.add_parser("rows", help="print the tools as rows of the gateway's table, with their pins")
    server = commands.add_parser("serve", help="offer tools over MCP")
    server.add_argument("server", choices=sorted(SERVERS))
    server.add_argument("--database", type=Path, required=True)
    server.add_argument("--key", type=Path, help="private key of the source; one of its own if left out")
    server.add_argument("--user", type=Path, help="claims of whom it serves, for user_context")
    server.add_argument("--port", type=int, help="serve over streamable HTTP on this port instead of pipes")
    return parser


if __name__ == "__main__":
    main()
