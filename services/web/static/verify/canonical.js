// Bytes, as docs/format.md has them: §2 notation, §3 canonical bytes. Written from that page alone,
// for browsers and Node alike: bytes are a Uint8Array (in Node a Buffer, which is one).

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // U+FEFF is a letter here

/** A value breaks the format; the message says how. */
export class Refused extends Error {}

/** Refuse. */
export function refuse(why) {
  throw new Refused(why);
}

/** Texts, arrays of bytes and bytes as one. */
export function join(...parts) {
  const found = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const whole = new Uint8Array(found.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of found) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes as lower-case hex. */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An unsigned number in so many bytes, big-endian. */
export function unsigned(size, n) {
  const digits = n.toString(16).padStart(2 * size, "0");
  return Uint8Array.from({ length: size }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** A text or bytes after its length, in one byte or in two. */
export function framed(size, x) {
  const bytes = join(x);
  return join(unsigned(size, bytes.length), bytes);
}

/** Compares two byte strings: less than 0, 0, more than 0. */
export function order(one, other) {
  const shorter = Math.min(one.length, other.length);
  for (let i = 0; i < shorter; i += 1) {
    if (one[i] !== other[i]) return one[i] - other[i];
  }
  return one.length - other.length;
}

/** Tells if this is a decoded map: an object without a prototype. */
export function isMap(x) {
  return typeof x === "object" && x !== null && Object.getPrototypeOf(x) === null;
}

/** Tells if two decoded values are equal. */
export function same(one, other) {
  if (one === other) return true;
  if (one instanceof Uint8Array) return other instanceof Uint8Array && order(one, other) === 0;
  if (Array.isArray(one)) {
    const alike = Array.isArray(other) && one.length === other.length;
    return alike && one.every((item, i) => same(item, other[i]));
  }
  if (!isMap(one) || !isMap(other)) return false;
  const keys = Object.keys(one);
  const alike = keys.length === Object.keys(other).length;
  return alike && keys.every((key) => key in other && same(one[key], other[key]));
}

/** The map without entries: one for all, for a hostile file may have millions. */
export const EMPTY = Object.freeze(Object.create(null));

const CONSTANTS = { 0xc0: null, 0xc2: false, 0xc3: true };
const LONG = { // what a first byte begins, in how many bytes its number stands, the least for it
  0xc4: ["bytes", 1, 0], 0xc5: ["bytes", 2, 2 ** 8], 0xc6: ["bytes", 4, 2 ** 16],
  0xcc: ["integer", 1, 2 ** 7], 0xcd: ["integer", 2, 2 ** 8], 0xce: ["integer", 4, 2 ** 16],
  0xcf: ["integer", 8, 2 ** 32], 0xdc: ["array", 2, 16], 0xdd: ["array", 4, 2 ** 16],
  0xd0: ["negative", 1, 33], 0xd1: ["negative", 2, 129], 0xd2: ["negative", 4, 32769],
  0xd3: ["negative", 8, 2 ** 31 + 1], 0xde: ["map", 2, 16], 0xdf: ["map", 4, 2 ** 16],
  0xd9: ["text", 1, 32], 0xda: ["text", 2, 2 ** 8], 0xdb: ["text", 4, 2 ** 16],
};
const DEPTH_MAX = 16;

/** The value that canonical bytes encode: nil is null, bytes bytes, a map has no prototype. */
export function decode(packed, limit = 65536) {
  if (packed.length > limit) refuse("more bytes than allowed");
  let at = 0;
  const take = (n) => {
    if (packed.length - at < n) refuse("bytes are missing");
    return packed.subarray(at, at += n);
  };
  const text = (n) => {
    const letters = take(n);
    try { return utf8.decode(letters); } catch { return refuse("not UTF-8"); }
  };
  const array = (n, depth) => {
    const items = [];
    while (items.length < n) items.push(value(depth + 1));
    return items;
  };
  const map = (n, depth) => {
    const entries = n ? Object.create(null) : EMPTY;
    for (let i = 0, before = null; i < n; i += 1) {
      const key = value(depth + 1);
      const letters = typeof key === "string" ? encoder.encode(key) : refuse("a key is no text");
      if (before && order(before, letters) >= 0) refuse("keys out of order or repeated");
      before = letters;
      entries[key] = value(depth + 1);
    }
    return entries;
  };
  const make = { integer: (n) => n, negative: (n) => -n, bytes: take, text, array, map };
  const value = (depth) => {
    if (depth > DEPTH_MAX) refuse("too deep");
    const first = take(1)[0];
    if (first <= 0x7f) return first;
    if (first <= 0x8f) return map(first - 0x80, depth);
    if (first <= 0x9f) return array(first - 0x90, depth);
    if (first <= 0xbf) return text(first - 0xa0);
    if (first >= 0xe0) return first - 256;
    if (first in CONSTANTS) return CONSTANTS[first];
    const [kind, size, least] = LONG[first] ?? refuse("a float, an extension, or c1");
    const bits = take(size).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    const n = Number(kind === "negative" ? -BigInt.asIntN(8 * size, bits) : bits);
    if (n < least || n > Number.MAX_SAFE_INTEGER) refuse("a longer form than needed, or too great");
    return make[kind](n, depth);
  };
  const whole = value(1);
  return at === packed.length ? whole : refuse("bytes left over");
}
