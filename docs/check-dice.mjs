// Recomputes dice and cards:  node docs/check-dice.mjs FALLEN.ndjson [MATCH.hgm ...]
// FALLEN is what `hegemon dice --list` writes: what the rules asked for, and what fell. Each line with a key is
// recomputed. Of a bundle that is named, key, epoch, address and values of its lines are taken from the
// bundle itself (keys from the seeds that it discloses and the nonces), and no answer of chance may lack a line.
// What disagrees is named, and then the exit code is 1.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual as same } from 'node:util';
import { cardOn, die, domainKey, topCards } from './chance.mjs';
import { readBody, readRecord, verify } from './verify.mjs';

const hex = (text) => Buffer.from(text, 'hex');

function agrees(fall) { // does the key say what fell?
  const key = hex(fall.key);
  if ('sides' in fall) {
    return fall.values.every((value, place) => value === die(key, fall.epoch, fall.address, place, fall.sides));
  }
  const order = [key, fall.deck, fall.shuffle, fall.order_epoch, fall.made_of];
  if ('place' in fall) return fall.card === cardOn(...order, fall.places, fall.place);
  return same(topCards(...order, fall.unseen, fall.count), fall.cards);
}

function chanceOf(name) { // of a bundle: its match, and by number what it says of each answer of chance
  const file = readFileSync(name);
  if (verify(file).verdict === 'INVALID') throw new Error(`${name} is INVALID: see verify.mjs`);
  const [answers, epochs] = [new Map(), new Map([[0, 0]])];
  let [header, nonces, entered] = [null, [], false];
  for (let at = 8, kind = ''; kind !== 'end';) {
    const [is, items, next] = readRecord(file, at);
    [kind, at] = [is, next];
    if (kind === 'bundle') [header] = items;
    if (kind !== 'event') continue;
    const [version, , stored] = items;
    const body = readBody(stored);
    if (version === 1) entered = body.act.chance === 'entered';
    if (body.act?.type === 'match.started') nonces = body.act.nonces;
    const parts = body.act?.type === 'match.rewound' || (body.kind !== 'act' && body.by.role === 'fork'); // §7
    epochs.set(version, parts ? version : epochs.get(body.parent));
    if (body.seat === -1) answers.set(version, { body, epoch: epochs.get(version), taken: parts || entered }); // §10.9
  }
  const key = (domain) => (header.seeds[domain]
    ? domainKey(header.seeds[domain], nonces, domain).toString('hex') : null);
  return [header.match, { answers, key }];
}

function isIn({ answers, key }, fall) { // does the bundle say the same as this line?
  const answer = answers.get(fall.version);
  answers.delete(fall.version);
  const { decision, question, private: hidden } = answer?.body ?? {};
  if (!decision || question !== fall.address || answer.epoch !== fall.epoch) return false;
  if (fall.key !== (answer.taken ? null : key(fall.domain))) return false;
  if ('sides' in fall) return same([...decision.values], fall.values);
  const cards = 'card' in fall ? [fall.card] : fall.cards; // those of one seat are committed to, not written
  return hidden ? decision.count === cards.length : same([...decision.cards], cards);
}

function main([list, ...names]) {
  if (!list) { console.log('node docs/check-dice.mjs FALLEN.ndjson [MATCH.hgm ...]'); return 2; }
  const bundles = new Map(names.map(chanceOf));
  let [values, keyless, wrong] = [0, 0, 0];
  const disagrees = (what) => { wrong += 1; console.log(`disagrees: ${what}`); };
  for (const line of readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
    const fall = JSON.parse(line);
    const count = (fall.values ?? fall.cards ?? [fall.card]).length;
    if (fall.key === null) keyless += count; else values += count;
    if (fall.key !== null && !agrees(fall)) disagrees(line);
    if (bundles.has(fall.match) && !isIn(bundles.get(fall.match), fall)) disagrees(`the bundle: ${line}`);
  }
  for (const [match, { answers }] of bundles) {
    for (const version of answers.keys()) disagrees(`${match}: event ${version} is not in the list`);
  }
  console.log(`${values} values recomputed, ${keyless} without a key, ${wrong} lines disagree`);
  return wrong ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
