"""Where the gateway may connect to for sources."""

import asyncio
import socket
import threading

import httpx
import pytest

from adapters.shared.addresses import Addresses, AddressRefusedError, PinnedTransport, pin_address


@pytest.fixture
def names(monkeypatch):
    """What names resolve to, instead of DNS."""
    known = {}

    def getaddrinfo(host, port, **_):
        places = known.get(host, [host])
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port)) for place in places]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return known


class TestAddresses:
    async def test_a_host_that_is_listed_is_connected_to_at_its_port_alone(self, names):
        """
        A public host is reached at the port it is listed with, and at no other.
        """
        names["npa.example"] = ["93.184.216.34"]
        addresses = Addresses(["npa.example:443"])
        assert await addresses.place("npa.example", 443) == "93.184.216.34"
        assert await addresses.place("NPA.example", 443) == "93.184.216.34"
        for host, port in [("npa.example", 80), ("other.example", 443), ("93.184.216.34", 443)]:
            with pytest.raises(AddressRefusedError):
                await addresses.place(host, port)

    @pytest.mark.parametrize(
        "place",
        [
            "127.0.0.1",
            "10.1.2.3",
            "169.254.169.254",
            "0.0.0.0",  # noqa: S104 - refused
            "100.64.0.1",
            "224.0.0.1",
            "::1",
            "fd00::1",
            "fe80::1%eth0",
            "::ffff:10.1.2.3",
            "64:ff9b::a01:203",
            "2002:a01:203::1",
        ],
    )
    async def test_a_name_that_leads_inside_is_refused(self, names, place):
        """
        Whoever runs the DNS of a listed name cannot point the gateway at the bank's own machines, in whichever way it is written.
        """
        names["npa.example"] = [place]
        with pytest.raises(AddressRefusedError):
            await Addresses(["npa.example:443"]).place("npa.example", 443)

    async def test_an_address_inside_is_listed_itself(self, names):
        """
        A name that leads inside is reached where its address stands on the list too, at the same port; the others it has are not.
        """
        names["npa.example"] = ["10.9.9.9", "10.1.2.3"]
        addresses = Addresses(["npa.example:443", "10.1.2.3:443", "[::1]:8080"])
        assert await addresses.place("npa.example", 443) == "10.1.2.3"
        assert await addresses.place("::1", 8080) == "::1"

    async def test_a_name_that_hangs_holds_nobody_else(self, monkeypatch):
        """
        However many look-ups of a name do not come back, the threads of the event loop, which the ledger works on too, are free.
        """
        answered = threading.Event()
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(20) and [])
        addresses = Addresses(["npa.example:443"])
        looks = [asyncio.create_task(addresses.place("npa.example", 443)) for _ in range(100)]
        try:
            await asyncio.sleep(0)
            async with asyncio.timeout(5):
                assert await asyncio.to_thread(lambda: "free") == "free"
        finally:
            answered.set()
            for look in looks:
                look.cancel()
            await asyncio.gather(*looks, return_exceptions=True)


class TestPinnedTransport:
    async def test_what_was_looked_at_is_what_is_connected_to(self, names):
        """
        A request goes to the number that was looked at, and is still for the host that it was made for, to TLS too.
        """
        names["npa.example"] = ["93.184.216.34"]
        request = httpx.Request("GET", "https://npa.example/x")
        await pin_address(request, Addresses(["npa.example:443"]))
        assert str(request.url) == "https://93.184.216.34/x"
        assert (request.headers["host"], request.extensions["sni_hostname"]) == ("npa.example", "npa.example")

    async def test_elsewhere_nothing_is_sent(self, names):
        """
        A request to a host that is not listed never reaches the network.
        """
        sent = []
        inner = httpx.MockTransport(lambda request: sent.append(request) or httpx.Response(200))
        async with httpx.AsyncClient(transport=PinnedTransport(Addresses(["a.example:80"]), inner)) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get("http://127.0.0.1/")
        assert sent == []
