// The proof: what was found out about a replay in one file, and what cannot be found out from it alone.
import { verifying } from "./bundle.js";
import { Witness, against, inOrder, unsealed } from "./document.js";
import { HASHES, run, sha256Hex } from "./hashing.js";

/** Check everything that this file can show of itself.
 *
 * Gives {report, findings, fingerprint, opened, closed}: what is said of the bundle (bundle.js), what is
 * wrong, the hash of the document, and of how many events the facts could be compared, and could not. */
export async function prove(bundle, packed, replay, seals) {
  const witness = new Witness();
  const report = await run(verifying(bundle, new Map(), witness));
  const findings = broken(report);
  const told = await unsealed(replay, seals);
  if (!findings.length) told.push(...against(replay, report, witness)); // else it is no witness
  findings.push(...inOrder(told));
  const { opened, closed } = witness.factsOf(replay);
  return { report, findings, fingerprint: await sha256Hex(packed), opened, closed };
}

/** Lists the faults of the bundle, those of events first: one of them makes all of it wrong. */
function broken(report) {
  return report.checks.filter((check) => check.status === "failed")
    .map((check) => ({ n: check.version, why: `${check.name}: ${check.detail}` }))
    .sort((one, other) => (one.n ?? Infinity) - (other.n ?? Infinity));
}

/** Why nothing can be checked here, or nothing. */
export function cannot() {
  if (HASHES) return "";
  return "This browser makes hashes only for pages from a disk or over https: save the file and open it from there.";
}
