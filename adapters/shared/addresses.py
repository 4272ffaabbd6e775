"""
Where the gateway may connect to for sources.

Rules held here: nothing is connected to but a host and port that whoever runs the gateway listed; an address that is not public,
which a name resolves to, is listed itself beside the name; what was looked at is what is connected to, since a name may say
another address when it is asked again.
"""

import asyncio
import ipaddress
import socket

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import httpx

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses of IPv6 that stand for those of IPv4 (RFC 6052)."""

_LOOKUPS: Final = 4
"""Names of one source that are looked up at once."""

_PORTS: Final = {"http": 80, "https": 443}

_Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressRefusedError(Exception):
    """The address is none that may be connected to."""


class Addresses:
    """The list of hosts and ports that may be connected to."""

    def __init__(self, allowed: Iterable[str]) -> None:
        """
        Args:
            allowed: each as `host:port`, in lower case; an address of IPv6 stands in brackets.
        """
        self._allowed = frozenset(allowed)
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="addresses")

    async def place(self, host: str, port: int) -> str:
        """
        The IP address to connect to for a host.

        Raises:
            AddressRefusedError: it is not listed, or is nowhere but at addresses that are not.

            OSError: its name does not resolve.
        """
        host = host.lower()
        if _written(host, port) not in self._allowed:
            raise AddressRefusedError("the host and port are not among the addresses that are allowed")
        found = await self._found(host, port)
        for *_, (address, *_rest) in found:
            ip = ipaddress.ip_address(str(address).partition("%")[0])
            if _public(ip) or _written(str(ip), port) in self._allowed:
                return str(ip)
        raise AddressRefusedError("the host is at no public address, and at none that is allowed by itself")

    async def _found(self, host: str, port: int) -> list[tuple[Any, ...]]:
        # On threads of its own: those of the loop are everybody's, and a name may take half a minute to be looked up in vain.
        loop, look = asyncio.get_running_loop(), partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        return await loop.run_in_executor(self._threads, look)


def _written(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _public(ip: _Ip) -> bool:
    """Whether it belongs to the internet; one that stands for another is what that one is."""
    if isinstance(ip, ipaddress.IPv6Address):
        inside = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inside = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inside is not None:
            return _public(inside)
    return ip.is_global and not ip.is_multicast


async def pin_address(request: Any, addresses: Addresses) -> None:  # noqa: ANN401 - of httpx or of httpx2, which are alike
    """
    Make a request of httpx, or of httpx2, go to an address that was looked at, under the name that it was made for.

    Raises:
        AddressRefusedError: there is none.

        OSError: its name does not resolve.
    """
    url = request.url
    place = await addresses.place(url.host, url.port or _PORTS.get(url.scheme, 0))
    # The header `host` was written when the request was made; TLS asks for and checks the name, not the number.
    request.extensions = {**request.extensions, "sni_hostname": url.host}
    request.url = url.copy_with(host=place)


class PinnedTransport(httpx.AsyncBaseTransport):
    """Sends requests to listed addresses alone."""

    def __init__(self, addresses: Addresses, inner: httpx.AsyncBaseTransport) -> None:
        self._addresses = addresses
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """
        As httpx says.

        Raises:
            httpx.ConnectError: the address is none that may be connected to, or there is none.
        """
        # What a service set when it was asked for one person is nothing to be told it for another.
        request.headers.pop("cookie", None)
        try:
            await pin_address(request, self._addresses)
        except (AddressRefusedError, OSError) as error:
            raise httpx.ConnectError("the address is not allowed, or there is none", request=request) from error
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()
