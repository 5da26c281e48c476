"""Checks a webhook's address and the numbers behind its name.

A person who makes a webhook makes us send something somewhere. It must not be a place that
only we can reach: this machine, its neighbours, the cloud's metadata pages. So each attempt
looks the name up, checks every number behind it, and connects to exactly that number. A
name that resolves differently a moment later gains nothing. Redirections are not followed.

`HEGEMON_WEBHOOK_NETWORKS` names networks that are allowed all the same, for closed networks
and for tests. Only there is http without TLS accepted.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from ledger.club.webhooks import URL_MAX, make_refusal

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
LookUp: TypeAlias = Callable[[str, int], Sequence[str]]

_PORTS: Final = {"https": 443, "http": 80}
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_HOST_MAX: Final = 253
_PRINTED: Final = re.compile(r"[!-~]+")
# IPv6 addresses outside the first range, or in the others, can stand for an IPv4 address of ours.
_IPV6_PUBLIC: Final = ipaddress.IPv6Network("2000::/3")
_IPV6_WRAPPING: Final = (
    ipaddress.IPv6Network("2002::/16"),  # 6to4
    ipaddress.IPv6Network("2001::/32"),  # Teredo
)
# No list allows these: a cloud's pages about the machine, everybody, nobody.
_NEVER: Final[tuple[Network, ...]] = (
    ipaddress.IPv4Network("169.254.0.0/16"),
    ipaddress.IPv4Network("0.0.0.0/8"),
    ipaddress.IPv4Network("224.0.0.0/3"),
    ipaddress.IPv6Network("fe80::/10"),
    ipaddress.IPv6Network("ff00::/8"),
    ipaddress.IPv6Network("fd00:ec2::/32"),
    ipaddress.IPv6Network("::/128"),
)


class NotAllowed(Exception):
    """This address is not allowed. The error never says which number was behind the name."""


class NotFound(Exception):
    """The name has no number."""


class Destination(NamedTuple):
    host: str
    port: int
    path: str
    tls: bool

    @property
    def authority(self) -> str:
        """Returns the host as a request's Host header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == _PORTS["https" if self.tls else "http"]
        return host if usual else f"{host}:{self.port}"


def target_of(url: str, *, plain: bool = False) -> Destination:
    """Parses an address, and refuses it if it is malformed. `plain` also allows http."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, (parts.hostname or "").rstrip(".")
    except ValueError:
        raise _bad(url) from None
    well_formed = (
        len(url) <= URL_MAX
        and _PRINTED.fullmatch(url)
        and "\\" not in url
        and parts.scheme in (("https", "http") if plain else ("https",))
        and "@" not in parts.netloc
        and "#" not in url
        and port != 0
        and (_is_address(host) if ":" in host else _is_name(host))
    )
    if not well_formed:
        raise _bad(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(host, port or _PORTS[parts.scheme], path, parts.scheme == "https")


def _bad(url: str) -> Exception:
    return make_refusal("bad_webhook_url", {"url": url[:100]})


def _is_name(host: str) -> bool:
    return len(host) <= _HOST_MAX and all(_LABEL.fullmatch(one) for one in host.split("."))


def _is_address(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return "%" not in host


def is_public(address: Address) -> bool:
    """Returns whether this is an address of the public internet."""
    if isinstance(address, ipaddress.IPv6Address):
        wrapping = any(address in network for network in _IPV6_WRAPPING)
        return address in _IPV6_PUBLIC and address.is_global and not wrapping
    return address.is_global and not address.is_multicast


def is_listed(address: Address, networks: Sequence[Network]) -> bool:
    if any(address in network for network in _NEVER if network.version == address.version):
        return False
    return any(address in network for network in networks if network.version == address.version)


def check_addresses(
    target: Destination, found: Sequence[str], networks: Sequence[Network]
) -> list[str]:
    """Returns the numbers behind a name; refuses the name if any of them is not allowed."""
    if not found:
        raise NotFound
    for text in found:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:  # with a zone, as in fe80::1%eth0
            raise NotAllowed from None
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            raise NotAllowed
        listed = is_listed(address, networks)
        if not (listed or (target.tls and is_public(address))):
            raise NotAllowed
    return list(found)


def look_up(host: str, port: int) -> list[str]:
    """Returns every number behind a name, from the system's resolver. It may be slow."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(one[4][0]) for one in found))
