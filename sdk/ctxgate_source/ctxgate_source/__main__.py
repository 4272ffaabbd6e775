"""`python -m ctxgate_source`: keys and signatures on the command line."""

import argparse
import json
import sys

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from ctxgate_source.keys import make_key, read_key, registry_line, write_key
from ctxgate_source.labels import sign_labels


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if it did what was asked, 1 if it could not."""
    options = _parser().parse_args(arguments)
    try:
        text = _key(options) if options.command == "key" else _sign(options)
    except (OSError, ValueError, KeyError) as error:
        sys.stderr.write(f"ctxgate_source: {type(error).__name__}: {error}\n")
        return 1
    sys.stdout.write(f"{text}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ctxgate_source", description="Keys and signatures of sources.")
    commands = parser.add_subparsers(dest="command", required=True)
    key = commands.add_parser("key", help="make a key: private into a file, public as a line for the registry")
    key.add_argument("kid", help="id of the key, such as knowledge-base-2026")
    key.add_argument("--out", type=Path, required=True, help="new file for the private key (JWK)")
    key.add_argument("--alg", choices=["EdDSA", "ES256"], default="EdDSA")
    key.add_argument(
        "--from", dest="start", type=date.fromisoformat, default=None, help="day from which it signs, UTC; today"
    )
    sign = commands.add_parser("sign", help="sign every item of a request file that has no attestation")
    sign.add_argument("request", type=Path)
    sign.add_argument("--key", type=Path, required=True, help="file of the private key")
    sign.add_argument("--issuer", required=True, help="id of the source in the registry")
    return parser


def _key(options: argparse.Namespace) -> str:
    key = make_key(options.kid, options.alg)
    write_key(key, options.out)
    return registry_line(key, options.start or datetime.now(UTC).date())


def _sign(options: argparse.Namespace) -> str:
    document, key = json.loads(options.request.read_bytes()), read_key(options.key)
    for item in document["items"]:
        if item.get("attestation") is None and item.get("receipt") is None:
            item["attestation"] = sign_labels(item.get("provenance") or {}, item["content"], key, options.issuer)
    return json.dumps(document, ensure_ascii=False, indent=2)


if __name__ == "__main__":
    sys.exit(main())
