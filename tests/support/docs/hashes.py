"""Vectors of the chain, of commitments and of chance: every hash that the format defines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from ledger.kernel.chance import (
    Deck,
    Drawn,
    Spread,
    Stream,
    Uncover,
    die,
    domain_key,
    domain_seed,
    nonce_commitment,
    seed_commitment,
    top_cards,
)
from ledger.log.format.canonical import encode
from ledger.log.format.chain import EMPTY, Tip, commit, link, padded, salt_of

Vector: TypeAlias = dict[str, Any]

MATCHES: Final = ("kdrh6jt9uyas63wd", "a", "0-" + "x" * 62)


def secret(name: str) -> bytes:
    """32 bytes that look like any secret."""
    return hashlib.sha256(f"hegemon vectors: {name}".encode()).digest()


def chain_vectors() -> dict[str, list[Vector]]:
    """The file `chain.json`."""
    return {"heads": list(_heads())}


def _heads() -> Iterator[Vector]:
    for match in MATCHES:
        tip = EMPTY
        for body in (
            b"\x80",
            encode({"a": 1}),
            b"",
            bytes(300),
            encode("a body is any bytes here"),
        ):
            event = link(match, tip, body)
            yield {
                "match": match,
                "version": event.version,
                "before": tip.head.hex(),
                "body": body.hex(),
                "body_sha256": hashlib.sha256(body).hexdigest(),
                "head": event.head.hex(),
            }
            tip = event.tip


def commitment_vectors() -> dict[str, list[Vector]]:
    """The file `commitments.json`."""
    places = [
        ("decision", 6, padded(encode({"cell": 4, "type": "opening.write"}))),
        ("decision", 7, padded(encode({"cell": 4, "type": "opening.write"}))),
        ("outcome", 6, encode([{"cell": 4, "seat": 0, "type": "play.marked"}])),
        ("outcome", 1 << 40, encode([])),
        ("private/cards", 12, padded(encode(["ace", "king"]))),
        ("private/cards", 12, padded(encode(None))),
        ("private/cards/0", 12, padded(encode("ace"))),
        ("decision", 8, padded(encode({"text": "x" * 80, "type": "long"}))),
    ]
    return {
        "padding": [
            {"packed": bytes(size).hex(), "plain": padded(bytes(size)).hex()}
            for size in (0, 1, 62, 63, 64, 65, 127, 128)
        ],
        "bad_padding": [
            {"reason": reason, "plain": plain.hex()}
            for reason, plain in (
                ("no bytes", b""),
                ("no mark", bytes(64)),
                ("not a multiple of 64", b"\x01\x80"),
                ("something behind the mark", b"\x01\x80\x01" + bytes(61)),
                ("64 bytes too many", padded(b"\x01") + bytes(64)),
            )
        ],
        "commitments": [
            _commitment(match, version, path, plain)
            for match in MATCHES
            for path, version, plain in places
        ],
    }


def _commitment(match: str, version: int, path: str, plain: bytes) -> Vector:
    before = Tip(version - 1, secret(f"head {version - 1}"))
    salt = salt_of(secret("salt key"), before, path)
    return {
        "match": match,
        "version": version,
        "path": path,
        "before": before.head.hex(),
        "salt_key": secret("salt key").hex(),
        "salt": salt.hex(),
        "plain": plain.hex(),
        "commitment": commit(match, version, path, salt, plain).hex(),
    }


def chance_vectors() -> dict[str, list[Vector]]:
    """The file `chance.json`."""
    return {
        "nonces": [
            {
                "seat": seat,
                "nonce": secret(f"nonce {seat}").hex(),
                "commitment": nonce_commitment(seat, secret(f"nonce {seat}")).hex(),
            }
            for seat in (0, 1, 2, 5, 255, 256)
        ],
        "domains": [
            _domain(domain, seats)
            for domain in ("dice", "deck.tech", "deck.x-1")
            for seats in (0, 1, 2, 6)
        ],
        "numbers": [
            _numbers(bound) for bound in (1, 2, 3, 6, 100, 1 << 31, (1 << 31) + 1, 1 << 32)
        ],
        "dice": list(_dice()),
        "cards": list(_cards()),
        "spreads": list(_spreads()),
    }


def _domain(domain: str, seats: int) -> Vector:
    seed = domain_seed(secret("server seed"), domain)
    nonces = [secret(f"nonce {seat}") for seat in range(seats)]
    return {
        "domain": domain,
        "server_seed": secret("server seed").hex(),
        "seed": seed.hex(),
        "seed_commitment": seed_commitment(seed, domain).hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "key": domain_key(seed, domain, nonces).hex(),
    }


def _numbers(bound: int) -> Vector:
    stream = Stream(secret("stream"))
    return {
        "key": secret("stream").hex(),
        "bound": bound,
        "numbers": [stream.below(bound) for _ in range(12)],
    }


def _dice() -> Iterator[Vector]:
    addresses = ("begin", "opening/clash", "r3/p4/s2/a1/fight/A", "straße/é", "")
    key = secret("dice key")
    for address in addresses:
        for epoch in (0, 1, 1234):
            for sides in (2, 6, 100):
                values = [die(key, epoch, address, place, sides) for place in range(3)]
                yield {
                    "key": key.hex(),
                    "epoch": epoch,
                    "address": address,
                    "sides": sides,
                    "values": values,
                }


def _cards() -> Iterator[Vector]:
    suits = [f"{rank}{suit}" for suit in "♠♥♦♣" for rank in "A23456789XJQK"]
    mixed = ["gold", "gold", "gold", "iron", "iron", "iron", "straße"]
    for name, cards, shuffle in (("tech", suits, 0), ("tech", suits, 1), ("ores", mixed, 0)):
        key = secret(f"deck key {name}")
        deck = Deck.of(name, cards, shuffle)
        # As a match draws: three, one more, two after a rewind at event 40; and one in a fork of
        # it, whose epoch is 0 again: whenever the epoch differs, there is a new order.
        for epoch, count in ((0, 3), (0, 1), (40, 1), (40, 1), (0, 1)):
            made_of, ordered_in = deck.order_of(epoch)
            drawn = top_cards(key, epoch, deck, count)
            yield {
                "key": key.hex(),
                "deck": name,
                "shuffle": shuffle,
                "epoch": epoch,
                "made_of": dict(made_of),
                "order_epoch": ordered_in,
                "unseen": dict(deck.unseen),
                "count": count,
                "cards": list(drawn),
            }
            deck.take(drawn, epoch)


def _spreads() -> Iterator[Vector]:
    tiles = [str(number) for number in range(1, 12)]
    copies = ["sun", "sun", "moon", "moon", "moon", "étoile"]
    for name, cards in (("tiles", tiles), ("sky", copies)):
        key = secret(f"deck key {name}")
        places = [f"{number},{number}" for number in range(len(cards))]
        spread = Spread.of(name, cards, places)
        # As a match turns tiles up: two, one more after a rewind at event 40, another after it.
        turned = zip((0, 0, 40, 40), (places[2], places[0], places[4], places[3]), strict=True)
        for epoch, place in turned:
            made_of, ordered_in = spread.deck.order_of(epoch)
            answer = Uncover(spread, place).answer(key, epoch, "")
            assert isinstance(answer, Drawn)
            yield {
                "key": key.hex(),
                "deck": name,
                "shuffle": 0,
                "epoch": epoch,
                "made_of": dict(made_of),
                "order_epoch": ordered_in,
                "places": list(spread.places_of(epoch)),
                "place": place,
                "card": answer.cards[0],
            }
            spread.turn_up(place, answer.cards[0], epoch)
