"""Which addresses a webhook may have, and which of the numbers behind a name are spoken to.

Whoever makes a webhook makes us send something somewhere. It must not be somewhere that only we
can reach: this machine, its neighbours, the cloud's own pages about it. So a name is looked up for
each attempt, every number behind it is looked at, and the connection goes to that very number; a
name that says something else the next moment gains nothing. Redirections are not followed.

`HEGEMON_WEBHOOK_NETWORKS` names networks that are allowed all the same, for closed ones and for
tests; there, and only there, http without TLS will do.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from ledger.club.webhooks import URL_MAX, refused

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
LookUp: TypeAlias = Callable[[str, int], Sequence[str]]

_PORTS: Final = {"https": 443, "http": 80}
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_HOST_MAX: Final = 253
_PRINTED: Final = re.compile(r"[!-~]+")
# What else stands for a number of the old kind, which may be one of ours.
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
    """This address is not spoken to. It never says which number was behind it."""


class NotFound(Exception):
    """There is no number behind this name."""


class Target(NamedTuple):
    """Where a webhook goes."""

    host: str
    port: int
    path: str
    tls: bool

    @property
    def authority(self) -> str:
        """The host as a request names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == _PORTS["https" if self.tls else "http"]
        return host if usual else f"{host}:{self.port}"


def target_of(url: str, *, plain: bool = False) -> Target:
    """The address taken apart; refused where it is none. `plain`: http may do."""
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
    return Target(host, port or _PORTS[parts.scheme], path, parts.scheme == "https")


def _bad(url: str) -> Exception:
    return refused("bad_webhook_url", {"url": url[:100]})


def _is_name(host: str) -> bool:
    return len(host) <= _HOST_MAX and all(_LABEL.fullmatch(one) for one in host.split("."))


def _is_address(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return "%" not in host


def is_public(address: Address) -> bool:
    """Whether this is a number of the open internet."""
    if isinstance(address, ipaddress.IPv6Address):
        wrapping = any(address in network for network in _IPV6_WRAPPING)
        return address in _IPV6_PUBLIC and address.is_global and not wrapping
    return address.is_global and not address.is_multicast


def is_listed(address: Address, networks: Sequence[Network]) -> bool:
    """Whether the operator has allowed this number."""
    if any(address in network for network in _NEVER if network.version == address.version):
        return False
    return any(address in network for network in networks if network.version == address.version)


def allowed(target: Target, found: Sequence[str], networks: Sequence[Network]) -> list[str]:
    """The numbers behind a name, if every one may be spoken to: one that may not spoils all."""
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
    """Every number behind a name, as the system says. It may take its time."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(one[4][0]) for one in found))
