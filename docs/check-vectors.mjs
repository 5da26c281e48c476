// Runs every vector of docs/vectors through docs/verify.mjs:  node docs/check-vectors.mjs
// One line for each file; what disagrees is named, and then the exit code is 1.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual as same } from 'node:util';
import { cardOn, die, domainKey, domainSeed, numbers, topCards } from './chance.mjs';
import * as hgm from './verify.mjs';

// Salts and padding: a verifier without rules never needs them.
const { f1, f2, join, refuse, u64 } = hgm;
const hmac = (key, ...parts) => createHmac('sha256', key).update(join(...parts)).digest();
const salt = (saltKey, before, version, path) =>
  hmac(saltKey, 'hegemon/salt/1', before, u64(version), f1(path));
const pad = (x) => join(x, [0x80], Buffer.alloc(63 - (x.length % 64)));
const unpad = (x) => { // the last byte that is not 0 is the mark
  const end = x.findLastIndex((byte) => byte !== 0);
  return end >= 0 && pad(x.subarray(0, end)).equals(x) ? x.subarray(0, end) : refuse('not padded');
};

const hex = (text) => Buffer.from(text, 'hex');
const plain = (value) => { // a value of the vectors, as verify.mjs has them: {"$bytes": hex} is bytes
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.keys(value).join() === '$bytes') return hex(value.$bytes);
  return Object.assign(Object.create(null), Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)])));
};
const refuses = (reader, bytes) => {
  try { reader(bytes); return false; } catch (error) {
    if (error instanceof hgm.Refused) return true;
    throw error;
  }
};
const isHex = (bytes, wanted) => bytes.toString('hex') === wanted;
const means = (bytes, value) => same(hgm.decode(hex(bytes)), plain(value));
const failed = (report) => report.checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
const statusOf = (report, ...names) => report.checks.filter(({ name }) => names.includes(name)).map(({ status }) => status);
const bundle = (vector) => Buffer.from(vector.bundle, 'base64');
const wholeBundles = new Map();
// verify.mjs looks at the fields of a body, not into them, and does not follow the life of a match.
const SEEN = /^(act|answer|sealed) with|is no body$|^an unknown kind$/;
const UNSEEN = new Set(['long-private-name', 'short-hash', 'too-many-seats', 'unknown-act', 'unknown-role',
  'abandoned-with-result', 'after-the-close', 'closed-without-result', 'copied-too-late', 'created-twice',
  'deciding-dice', 'edition-before-the-start', 'entered-die', 'forked-chance', 'opening-act',
  'paused-decision', 'reopened-without-remedy', 'rewind-before-the-start']);


// For each list of each file: does this vector agree?
const agrees = {
  canonical: {
    valid: (v) => means(v.bytes, v.value),
    invalid: (v) => refuses(hgm.decode, hex(v.bytes)),
    limits: (v) => refuses(hgm.decode, Buffer.concat([hex(v.start), Buffer.alloc(v.times, hex(v.unit))])) !== v.valid,
  },
  chain: {
    heads: (v) => isHex(hgm.sha256(hex(v.body)), v.body_sha256) && isHex(hgm.head(v.match, v.version, hex(v.before), hex(v.body)), v.head),
  },
  commitments: {
    padding: (v) => isHex(pad(hex(v.packed)), v.plain) && isHex(unpad(hex(v.plain)), v.packed),
    bad_padding: (v) => refuses(unpad, hex(v.plain)),
    commitments: (v) => isHex(salt(hex(v.salt_key), hex(v.before), v.version, v.path), v.salt)
      && isHex(hgm.commitment(v.match, v.version, v.path, hex(v.salt), hex(v.plain)), v.commitment),
  },
  chance: {
    nonces: (v) => isHex(hgm.nonceCommitment(v.seat, hex(v.nonce)), v.commitment),
    domains: (v) => isHex(domainSeed(hex(v.server_seed), v.domain), v.seed)
      && isHex(hgm.seedCommitment(v.domain, hex(v.seed)), v.seed_commitment)
      && isHex(domainKey(hex(v.seed), v.nonces.map(hex), v.domain), v.key),
    numbers: (v) => {
      const stream = numbers(hex(v.key), v.bound);
      return same(v.numbers.map(() => stream.next().value), v.numbers);
    },
    dice: (v) => same(v.values.map((_, place) => die(hex(v.key), v.epoch, v.address, place, v.sides)), v.values),
    cards: (v) => same(topCards(hex(v.key), v.deck, v.shuffle, v.order_epoch, v.made_of, v.unseen, v.count), v.cards),
    spreads: (v) => cardOn(hex(v.key), v.deck, v.shuffle, v.order_epoch, v.made_of, v.places, v.place) === v.card,
  },
  events: {
    valid: (v, i, all) => means(v.body, v.plain) && same(hgm.readBody(hex(v.body)), plain(v.plain))
      && isHex(hgm.sha256(hex(v.body)), v.body_sha256)
      && isHex(hgm.head(v.match, v.version, i ? hex(all[i - 1].head) : Buffer.alloc(32), hex(v.body)), v.head),
    invalid: (v) => refuses(hgm.readBody, hex(v.body)) || !SEEN.test(v.reason),
  },
  bundles: {
    valid: (v) => {
      wholeBundles.set(v.name, bundle(v));
      const report = hgm.verify(bundle(v));
      const heads = hgm.verify(bundle(v), new Map(v.heads.map((head, i) => [i + 1, head]))); // all right
      const said = statusOf(report, 'frame', 'chain', 'openings');
      return isHex(hgm.sha256(bundle(v)), v.sha256) && report.verdict === 'CHAIN VALID, NOT FOLDED'
        && same(said, ['ok', 'ok', v.statuses.openings]) && same(statusOf(heads, 'anchor'), ['ok'])
        && report.match === v.match && report.events === v.events && report.head === v.head;
    },
    anchors: (v) => {
      const anchors = new Map(Object.entries(v.anchors).map(([n, head]) => [Number(n), head]));
      const { DIVERGED = false, VALID = false } = { [v.verdict]: true };
      const report = hgm.verify(wholeBundles.get(v.of), anchors);
      return (report.verdict === 'DIVERGED') === DIVERGED && (statusOf(report, 'anchor')[0] === 'ok') === VALID;
    },
  },
  broken: {
    broken: (v) => UNSEEN.has(v.name) || same(failed(hgm.verify(bundle(v))), v.fails_without_rules),
  },
};

let wrong = 0;
for (const [name, lists] of Object.entries(agrees)) {
  const vectors = JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8'));
  const counts = [];
  for (const key of new Set([...Object.keys(vectors), ...Object.keys(lists)])) {
    if (!(key in vectors) || !(key in lists)) throw new Error(`${name}.json: ${key} is only on one side`);
    const bad = vectors[key].filter((vector, i, all) => {
      try { if (lists[key](vector, i, all)) return false; } catch (error) { console.log(error); }
      console.log(`${name}.json, ${key}[${i}] disagrees: ${vector.name ?? vector.reason ?? JSON.stringify(vector).slice(0, 200)}`);
      return true;
    });
    wrong += bad.length;
    counts.push(`${key} ${vectors[key].length - bad.length}/${vectors[key].length}`);
  }
  console.log(`${name}.json: ${counts.join(', ')}`);
}
process.exitCode = wrong ? 1 : 0;
