// Dice and cards from keys, written from §10 of docs/format.md alone.
import { createHmac } from 'node:crypto';
import { f2, join, u64 } from './verify.mjs';

const hmac = (key, ...parts) => createHmac('sha256', key).update(join(...parts)).digest();

export const domainSeed = (server, domain) => hmac(server, f2('hegemon/domain/1'), f2(domain));
export const domainKey = (seed, nonces, domain) =>
  hmac(hmac(nonces.length ? join(...nonces) : Buffer.alloc(32), seed), 'hegemon/key/1', domain, [1]);

export function* numbers(key, bound) { // §10.5: numbers below `bound`, as many as are asked for
  const share = Math.floor(2 ** 32 / bound);
  for (let block = 0; ; block += 1) {
    const bytes = hmac(key, u64(block));
    for (let at = 0; at < 32; at += 4) {
      const drawn = Math.floor(bytes.readUInt32BE(at) / share);
      if (drawn < bound) yield drawn;
    }
  }
}

export const die = (key, epoch, address, place, sides) =>
  1 + numbers(hmac(key, f2('die'), f2(`${epoch}`), f2(address), f2(`${place}`)), sides).next().value;

const byLot = (a, b) => Buffer.compare(a.lot, b.lot);

function lots(key, deck, shuffle, orderEpoch, card, copies) { // §10.7, step 2; lowest first
  const order = f2(`${orderEpoch}/${shuffle}`);
  return Array.from({ length: copies }, (_, copy) =>
    ({ card, lot: hmac(key, f2('lot'), f2(deck), order, f2(card), f2(`${copy}`)) })).sort(byLot);
}

export function topCards(key, deck, shuffle, orderEpoch, madeOf, unseen, count) { // §10.7
  const left = Object.keys(madeOf).flatMap((card) => lots(key, deck, shuffle, orderEpoch, card, madeOf[card])
    .slice(madeOf[card] - (unseen[card] ?? 0))); // the lowest have left
  return left.sort(byLot).slice(0, count).map(({ card }) => card);
}

export function cardOn(key, deck, shuffle, orderEpoch, madeOf, places, place) { // §10.8
  const every = Object.keys(madeOf).flatMap((card) => lots(key, deck, shuffle, orderEpoch, card, madeOf[card]));
  return every.sort(byLot)[places.indexOf(place)]?.card;
}
