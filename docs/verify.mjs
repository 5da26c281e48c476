// A verifier for Hegemon bundles in plain JavaScript (Node 20, nothing to install), written from
// docs/format.md alone; "§" points into it. It shares no code with the project.
//
//     node docs/verify.mjs [--anchored] [--head VERSION:HEX]... FILE.hgm
//
// It knows the rules of no game: it folds nothing, and cannot tell whether a decision was legal. Of
// §5, §6 and §8 it checks what the rest relies on: kinds, numbers, parents and nonces.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual as same, parseArgs } from 'node:util';

// §2 Notation.
export const join = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const unsigned = (size) => (n) => Buffer.from(n.toString(16).padStart(2 * size, '0'), 'hex');
export const [u8, u16, u64] = [unsigned(1), unsigned(2), unsigned(8)];
export const f1 = (text) => join(u8(Buffer.byteLength(text)), text);
export const f2 = (x) => join(u16(Buffer.byteLength(x)), x);
export const sha256 = (...parts) => createHash('sha256').update(join(...parts)).digest();

// §3 Canonical bytes. Decoded: nil is null, bytes a Buffer, a map an object without a prototype.
export class Refused extends Error {}
export const refuse = (why) => { throw new Refused(why); };
const EMPTY = Object.freeze(Object.create(null)); // one for all: a hostile file may have millions
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }); // U+FEFF is a letter here
const CONSTANTS = { 0xc0: null, 0xc2: false, 0xc3: true };
const LONG = { // what a first byte begins, in how many bytes its number stands, the least for it
  0xc4: ['bytes', 1, 0], 0xc5: ['bytes', 2, 2 ** 8], 0xc6: ['bytes', 4, 2 ** 16],
  0xcc: ['integer', 1, 2 ** 7], 0xcd: ['integer', 2, 2 ** 8], 0xce: ['integer', 4, 2 ** 16],
  0xcf: ['integer', 8, 2 ** 32], 0xdc: ['array', 2, 16], 0xdd: ['array', 4, 2 ** 16],
  0xd0: ['negative', 1, 33], 0xd1: ['negative', 2, 129], 0xd2: ['negative', 4, 32769],
  0xd3: ['negative', 8, 2 ** 31 + 1], 0xde: ['map', 2, 16], 0xdf: ['map', 4, 2 ** 16],
  0xd9: ['text', 1, 32], 0xda: ['text', 2, 2 ** 8], 0xdb: ['text', 4, 2 ** 16],
};

export function decode(packed, limit = 65536) {
  if (packed.length > limit) refuse('more bytes than allowed');
  let at = 0;
  const take = (n) => {
    if (packed.length - at < n) refuse('bytes are missing');
    return packed.subarray(at, at += n);
  };
  const text = (n) => {
    const letters = take(n);
    try { return utf8.decode(letters); } catch { return refuse('not UTF-8'); }
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
      const order = typeof key === 'string' ? Buffer.from(key) : refuse('a key is no text');
      if (before && Buffer.compare(before, order) >= 0) refuse('keys out of order or repeated');
      before = order;
      entries[key] = value(depth + 1);
    }
    return entries;
  };
  const make = { integer: (n) => n, negative: (n) => -n, bytes: take, text, array, map };
  const value = (depth) => {
    if (depth > 16) refuse('too deep');
    const first = take(1)[0];
    if (first <= 0x7f) return first;
    if (first <= 0x8f) return map(first - 0x80, depth);
    if (first <= 0x9f) return array(first - 0x90, depth);
    if (first <= 0xbf) return text(first - 0xa0);
    if (first >= 0xe0) return first - 256;
    if (first in CONSTANTS) return CONSTANTS[first];
    const [kind, size, least] = LONG[first] ?? refuse('a float, an extension, or c1');
    const bits = BigInt(`0x${take(size).toString('hex')}`);
    const n = Number(kind === 'negative' ? -BigInt.asIntN(8 * size, bits) : bits);
    if (n < least || n > Number.MAX_SAFE_INTEGER) refuse('a longer form than needed, or too great');
    return make[kind](n, depth);
  };
  const whole = value(1);
  return at === packed.length ? whole : refuse('bytes left over');
}

// §4 The chain, §9 commitments, §10 chance. `plain` and `body` are bytes.
export const head = (match, version, before, body) =>
  sha256('hegemon/head/1', f1(match), u64(version), before, sha256(body));
export const commitment = (match, version, path, salt, plain) =>
  sha256('hegemon/commitment/1', f1(match), u64(version), f1(path), salt, sha256(plain));
export const nonceCommitment = (seat, nonce) => sha256('hegemon/nonce/1', u16(seat), nonce);
export const seedCommitment = (domain, seed) => sha256('hegemon/seed/1', f2(domain), seed);

// §5, §11 The fields of maps, in the order of canonical bytes; what has its default is left out.
const FIELDS = {
  act: /^act,at,by,(clock,)?kind,(opens,)?(outcome,)?parent$/,
  answer: /^at,by,(clock,)?decision,kind,(opens,)?(outcome,)?parent,(private,)?question,seat$/,
  sealed: /^at,by,(clock,)?commitment,kind,(opens,)?(outcome,)?parent,question,seat$/,
  bundle: /^edition,format,match,ruleset,seeds,source,supersedes,viewer$/,
  end: /^events,head,openings,result,sha256$/,
};
const MATCH = /^[a-z0-9][a-z0-9-]{0,63}$/;
const isMap = (x) => typeof x === 'object' && x !== null && Object.getPrototypeOf(x) === null;
const isDefault = (x) => x === null || x.length === 0 || same(x, EMPTY);

export function readBody(stored) { // the body, or Refused
  const body = decode(stored);
  const known = ['act', 'answer', 'sealed'].includes(body?.kind);
  if (!known || !FIELDS[body.kind].test(Object.keys(body))) refuse('no body of §5');
  for (const name of ['clock', 'opens', 'outcome', 'private']) {
    if (name in body && isDefault(body[name])) refuse(`the default of ${name} is written out`);
  }
  return body;
}

const shape = (x) => (Buffer.isBuffer(x) ? 'bytes' : isMap(x) ? 'map' : typeof x);
const RECORDS = { // §11.1
  bundle: 'map', overlay: 'bytes', event: 'number,bytes,bytes',
  opening: 'number,string,bytes,bytes', end: 'map',
};

export function readRecord(file, at) { // [kind, items, where the next one begins], or Refused
  const size = file.length - at < 4 ? Infinity : file.readUInt32BE(at);
  if (size > file.length - at - 4) refuse('the file ends early');
  const record = decode(file.subarray(at + 4, at + 4 + size), 16778240);
  const [kind, ...items] = Array.isArray(record) ? record : [];
  const right = Object.hasOwn(RECORDS, kind) && items.map(shape).join() === RECORDS[kind];
  const [first, second, third] = items;
  const named = !right || !FIELDS[kind] || FIELDS[kind].test(Object.keys(first));
  if (!right || !named) refuse('no record of §11');
  if (kind === 'event' && second.length !== 32) refuse('a head has 32 bytes');
  if (kind === 'opening' && third.length !== 32) refuse('a salt has 32 bytes');
  if (kind === 'opening' && Buffer.byteLength(second) > 255) refuse('a path has at most 255 bytes');
  if (kind === 'bundle' && (first.format !== 1 || !MATCH.test(first.match))) refuse('no header');
  return [kind, items, at + 4 + size];
}

// §12 Verifying: a report on the bytes of a file, never an exception. `anchors`: number -> hex.
const CHECKS = ['frame', 'chain', 'life', 'openings', 'edition', 'legality', 'chance', 'outcome',
  'result', 'anchor'];
const MADE = ['frame', 'chain', 'openings', 'anchor']; // of the others, what can be seen fails

export function verify(file, anchors = new Map()) {
  const status = (name) => (MADE.includes(name) ? 'ok' : 'not checked');
  const checks = Object.fromEntries(CHECKS.map((name) =>
    [name, { name, status: status(name), detail: '', version: null, rule: '' }]));
  const fail = (name, detail, version = null) => { // the first failure is the one that is told
    const check = checks[name];
    if (check.status !== 'failed') Object.assign(check, { status: 'failed', detail, version });
    return false;
  };
  let [header, overlay, created, closed, last] = [null, null, null, null, Buffer.alloc(32)];
  let [version, openings, committed] = [0, 0, new Map()]; // of the last event, by path
  const [nonces, due] = [new Map(), new Set()]; // due: what the policy opens and is not here yet
  const promises = (...policies) => policies.some((policy) => created.discloses.includes(policy));

  const take = { // what to do with a record of each kind; false: stop
    bundle: (map) => { header = map; return true; },
    overlay: (bytes) => { overlay = bytes; return true; },
    event(number, stored, packed) {
      if (version === 1) hold(created);
      if (number !== version + 1) return fail('chain', 'an event out of order', number);
      const right = head(header.match, number, last, packed);
      if (!same(right, stored)) fail('chain', 'its head is another', number);
      [version, last] = [number, stored];
      const body = readBody(packed);
      const parent = body.act?.type === 'match.rewound' ? body.act.to : version - 1; // §7
      const before = parent < version && (parent > 0 || version === 1);
      if (body.parent !== parent || !before) return fail('chain', 'its parent is another', version);
      if (body.kind === 'act') act(body.act);
      if (!created) return fail('life', 'event 1 is not match.created', version);
      const anchor = anchors.get(version);
      const agrees = !anchor || anchor === last.toString('hex');
      if (!agrees) fail('anchor', 'another head is known', version);
      committed = new Map(Object.entries(body.private ?? {}).map(([k, v]) => [`private/${k}`, v]));
      if (body.kind === 'sealed') committed.set('decision', body.commitment);
      if (body.outcome) committed.set('outcome', body.outcome);
      for (const path of committed.keys()) {
        if (promises(path === 'outcome' ? 'outcomes' : 'decisions')) due.add(`${version} ${path}`);
      }
      return true;
    },
    opening(number, path, salt, plain) {
      openings += 1;
      const value = commitment(header.match, version, path, salt, plain);
      const right = number === version && same(value, committed.get(path));
      if (!right) fail('openings', `${path}: not what is committed here`, number);
      committed.delete(path); // it is opened once
      due.delete(`${version} ${path}`);
      return true;
    },
    end(stated, at, next) {
      if (version === 1) hold(created);
      const counts = version && stated.events === version && stated.openings === openings;
      const hash = same(sha256(file.subarray(0, at)), stated.sha256);
      if (!counts || !hash || next < file.length) return fail('frame', 'wrong counts or hash');
      if (!same(last, stated.head)) fail('frame', 'the end names another head');
      const { seeds, result, discloses } = closed ?? { seeds: EMPTY, result: null };
      if (!same(stated.result, result)) fail('result', 'the end and the closing event differ');
      if (!same(header.seeds, seeds)) fail('chance', 'the header and the closing event differ');
      if (!closed) return true;
      const isDue = (domain) => promises('chance', `chance:${domain}`);
      const promised = Object.keys(created.domains).filter(isDue);
      if (!same(Object.keys(seeds), promised)) fail('chance', 'not the seeds of the policy');
      if (!same(discloses, created.discloses)) fail('result', 'another policy than event 1 set');
      if (due.size && checks.openings.status === 'ok') checks.openings.status = 'withheld';
      return true;
    },
  };

  function act(doing) {
    if (doing.type === 'match.created' && version === 1) created = doing;
    if (doing.type === 'match.joined') nonces.set(doing.seat, doing.nonce);
    const right = (nonce, seat) => same(nonceCommitment(seat, nonce), nonces.get(seat));
    const opens = doing.type !== 'match.started'
      || (doing.nonces.length === created.seats && doing.nonces.every(right));
    if (!opens) fail('life', 'not the nonces that were committed', version);
    if (doing.type === 'match.closed') closed = doing;
    if (doing.type === 'match.ruled' && doing.remedy) closed = null; // open again, closed anew
  }

  function hold(doing) { // the header against event 1
    if (doing.match !== header.match) fail('life', 'another match than the header names', 1);
    const differs = (name) => doing[name] !== header[name];
    if (['ruleset', 'edition', 'source'].some(differs)) fail('edition', 'the header differs', 1);
    const hash = overlay && sha256(overlay);
    if (!same(hash, doing.overlay ?? null)) fail('edition', 'another overlay', 1);
    for (const [domain, seed] of Object.entries(header.seeds)) {
      const right = same(seedCommitment(domain, seed), doing.domains[domain]);
      if (!right) fail('chance', `${domain}: another seed was committed`, 1);
    }
  }

  function read() { // from the first byte to the last; false: stopped
    if (file.subarray(0, 8).toString('latin1') !== 'HEGEMON1') return fail('frame', 'no bundle');
    for (let at = 8, number = 1, kind = ''; kind !== 'end'; number += 1) {
      try {
        kind = '';
        const [is, items, next] = readRecord(file, at);
        const misplaced = (is === 'bundle') !== (number === 1) || (is === 'overlay' && number > 2);
        kind = misplaced ? refuse('a record out of place') : is;
        if (!take[kind](...items, at, next)) return false;
        at = next;
      } catch (error) { // refused, or a value of another type than it must have
        return fail(kind === 'event' ? 'chain' : 'frame', error.message);
      }
    }
    return true;
  }

  if (!read()) {
    for (const name of MADE) if (checks[name].status === 'ok') checks[name].status = 'not checked';
  }
  for (const number of anchors.keys()) {
    if (number < 1 || number > version) fail('anchor', 'there is no such event', number);
  }
  if (checks.anchor.status === 'ok' && !anchors.has(version)) checks.anchor.status = 'not checked';
  const failed = CHECKS.filter((name) => checks[name].status === 'failed');
  let verdict = failed.length ? 'INVALID' : 'CHAIN VALID, NOT FOLDED';
  if (same(failed, ['anchor'])) verdict = 'DIVERGED';
  const { match = '', ruleset = '' } = header ?? {};
  const [origin, said] = [created?.origin?.kind ?? '', Object.values(checks)];
  return { match, ruleset, events: version, head: last.toString('hex'), origin, checks: said, verdict };
}

function main(args) { // the exit code; the report is printed as JSON, and the verdict behind it
  const anchors = new Map();
  const head = { type: 'string', multiple: true, default: [] };
  let [file, given] = [null, null];
  try {
    const options = { anchored: { type: 'boolean' }, head };
    given = parseArgs({ args, options, allowPositionals: true });
    for (const known of given.values.head) {
      const parts = /^([0-9]{1,9}):([0-9a-f]{64})$/.exec(known) ?? refuse('--head is VERSION:HEX');
      const [number, hex] = [Number(parts[1]), parts[2]];
      if ((anchors.get(number) ?? hex) !== hex) refuse(`two heads of event ${number}`);
      anchors.set(number, hex);
    }
    if (given.positionals.length !== 1) refuse('give one FILE.hgm');
    file = readFileSync(given.positionals[0]);
  } catch (error) {
    console.error(error.message);
    return 2;
  }
  const report = verify(file, anchors);
  console.log(`${JSON.stringify(report, null, 1)}\n${report.verdict}`);
  if (report.verdict === 'INVALID' || report.verdict === 'DIVERGED') return 4;
  return given.values.anchored && report.checks.at(-1).status !== 'ok' ? 3 : 0;
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(new URL(import.meta.url))) {
  process.exitCode = main(process.argv.slice(2));
}
