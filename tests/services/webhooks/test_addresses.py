"""Addresses that webhooks may have, and numbers that are spoken to."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import pytest

from ledger.kernel.refusals import Refused
from services.run.settings import BadSetting, read_settings
from services.webhooks.addresses import NotAllowed, NotFound, check_addresses, is_public, target_of

HOOK = target_of("https://hooks.example/")


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "authority"),
    [
        ("https://hooks.example", "hooks.example", 443, "/", "hooks.example"),
        ("https://Hooks.Example./a?b=c", "hooks.example", 443, "/a?b=c", "hooks.example"),
        ("https://hooks.example:8443/%20", "hooks.example", 8443, "/%20", "hooks.example:8443"),
        ("https://[2606:4700::1]/x", "2606:4700::1", 443, "/x", "[2606:4700::1]"),
        ("https://8.8.8.8:443/", "8.8.8.8", 443, "/", "8.8.8.8"),
    ],
)
def test_an_address_is_taken_apart(url: str, host: str, port: int, path: str, authority: str):
    found = target_of(url)
    assert (found.host, found.port, found.path, found.authority) == (host, port, path, authority)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "http://hooks.example/",
        "https://",
        "https:///path",
        "https://name@hooks.example/",
        "https://name:word@hooks.example/",
        "https://hooks.example/#part",
        "https://hooks.example:0/",
        "https://hooks.example:65536/",
        "https://hooks.example:x/",
        "https://hooks .example/",
        "https://hooks.example/a b",
        "https://hooks.example/a\r\nX: y",
        "https://hooks.example\\@127.0.0.1/",
        "https://häuser.example/",
        "https://.example/",
        "https://a..example/",
        "https://-a.example/",
        "https://[fe80::1%25eth0]/",
        "https://[::g]/",
        "https://" + "a" * 64 + ".example/",
        "https://" + "a." * 130 + "example/",
        "https://hooks.example/" + "a" * 500,
    ],
)
def test_what_is_no_address_is_refused(url: str):
    with pytest.raises(Refused) as raised:
        target_of(url)
    assert raised.value.code == "bad_webhook_url"


def test_http_without_tls_only_where_the_operator_has_named_networks():
    assert not target_of("http://127.0.0.1:8080/x", plain=True).tls
    with pytest.raises(Refused):
        target_of("http://127.0.0.1:8080/x")


@pytest.mark.parametrize("number", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1"])
def test_numbers_of_the_open_internet_are_spoken_to(number: str):
    assert check_addresses(HOOK, [number], ()) == [number]


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1",
        "127.8.9.10",
        "0.0.0.0",  # noqa: S104
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:1::1",
        "2001:db8::1",
        "nothing",
    ],
)
def test_no_other_number_is_spoken_to_not_even_beside_one_that_may_be(number: str):
    for found in ([number], ["8.8.8.8", number], [number, "8.8.8.8"]):
        with pytest.raises(NotAllowed):
            check_addresses(HOOK, found, ())


def test_networks_that_the_operator_names_are_and_nothing_else():
    networks = read_settings(
        {"HEGEMON_WEBHOOK_NETWORKS": "127.0.0.0/8, fd12::/16"}
    ).webhook_networks
    plain = target_of("http://inside.example/", plain=True)
    assert check_addresses(plain, ["127.0.0.1", "fd12::5"], networks) == ["127.0.0.1", "fd12::5"]
    for number in ("10.0.0.1", "8.8.8.8", "fd13::1"):  # what is public wants TLS
        with pytest.raises(NotAllowed):
            check_addresses(plain, [number], networks)
    assert check_addresses(HOOK, ["8.8.8.8"], networks) == ["8.8.8.8"]


@pytest.mark.parametrize("number", ["169.254.169.254", "0.0.0.1", "fe80::1", "fd00:ec2::254", "::"])
def test_some_numbers_no_list_allows(number: str):
    everything = (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
    with pytest.raises(NotAllowed):
        check_addresses(HOOK, [number], everything)


def test_a_name_without_numbers_is_not_found():
    with pytest.raises(NotFound):
        check_addresses(HOOK, [], ())


def test_nearly_all_numbers_of_the_new_kind_outside_of_2000_are_not_public():
    for first in range(0, 0x10000, 0x0100):
        address = ipaddress.IPv6Address(first << 112 | 1)
        assert is_public(address) <= (0x2000 <= first < 0x4000)


def test_settings_that_cannot_be_used_are_named(tmp_path: Path):
    with pytest.raises(BadSetting, match="HEGEMON_WEBHOOK_NETWORKS must be networks like"):
        read_settings({"HEGEMON_WEBHOOK_NETWORKS": "10.0.0.1/8"})
    with pytest.raises(BadSetting, match="HEGEMON_WEBHOOK_KEY must be 64 hex") as raised:
        read_settings({"HEGEMON_WEBHOOK_KEY": "ab" * 31})
    assert "abab" not in str(raised.value)
    settings = read_settings({"HEGEMON_WEBHOOK_KEY": "ab" * 32})
    assert settings.webhook_key == b"\xab" * 32
    assert "xab" not in repr(settings)
