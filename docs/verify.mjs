// A verifier for Hegemon bundles in plain JavaScript (Node 20, nothing to install), written from
// docs/format.md alone; "§" points into it. It shares no code with the project, but for a replay in one
// file, which verifies itself by the same two modules: canonical.js and bundle.js. What stands here is
// what Node has and a browser has not: files, a command line, and hashes that are not waited for.
//
//     node docs/verify.mjs [--anchored] [--head VERSION:HEX]... FILE.hgm
//
// It knows the rules of no game: it folds nothing, and cannot tell whether a decision was legal. Of
// §5, §6 and §8 it checks what the rest relies on: kinds, numbers, parents and nonces.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as core from '../services/web/static/verify/bundle.js';
import * as bytes from '../services/web/static/verify/canonical.js';

export { readBody, readRecord } from '../services/web/static/verify/bundle.js';
export { Refused, decode, refuse } from '../services/web/static/verify/canonical.js';

// §2 Notation.
export const join = (...parts) => Buffer.from(bytes.join(...parts));
export const [u8, u16, u64] = [1, 2, 8].map((size) => (n) => Buffer.from(bytes.unsigned(size, n)));
export const [f1, f2] = [1, 2].map((size) => (x) => Buffer.from(bytes.framed(size, x)));
export const sha256 = (...parts) => createHash('sha256').update(join(...parts)).digest();

const run = (steps) => { // hand back the hash of whatever is asked for
  let step = steps.next();
  while (!step.done) step = steps.next(createHash('sha256').update(step.value).digest());
  return step.value;
};

// §4 The chain, §9 commitments, §10 chance. `plain` and `body` are bytes.
export const head = (...parts) => run(core.headOf(...parts));
export const commitment = (...parts) => run(core.commitmentOf(...parts));
export const nonceCommitment = (...parts) => run(core.nonceCommitmentOf(...parts));
export const seedCommitment = (...parts) => run(core.seedCommitmentOf(...parts));

// §12 Verifying: a report on the bytes of a file, never an exception. `anchors`: number -> hex.
export const verify = (file, anchors = new Map()) => run(core.verifying(file, anchors));

function main(args) { // the exit code; the report is printed as JSON, and the verdict behind it
  const anchors = new Map();
  const head = { type: 'string', multiple: true, default: [] };
  let [file, given] = [null, null];
  try {
    const options = { anchored: { type: 'boolean' }, head };
    given = parseArgs({ args, options, allowPositionals: true });
    for (const known of given.values.head) {
      const parts = /^([0-9]{1,9}):([0-9a-f]{64})$/.exec(known) ?? bytes.refuse('--head is VERSION:HEX');
      const [number, hex] = [Number(parts[1]), parts[2]];
      if ((anchors.get(number) ?? hex) !== hex) bytes.refuse(`two heads of event ${number}`);
      anchors.set(number, hex);
    }
    if (given.positionals.length !== 1) bytes.refuse('give one FILE.hgm');
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
