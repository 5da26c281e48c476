// Hashes as a browser makes them: WebCrypto, which is waited for.
import { hexOf, join } from "./canonical.js";

/** True if this browser makes hashes here; some do so only for files and for https. */
export const HASHES = globalThis.crypto?.subtle !== undefined;

/** Drive what asks for hashes (bundle.js) to its end, and give what it gives. */
export async function run(steps) {
  let step = steps.next();
  while (!step.done) {
    const hash = await crypto.subtle.digest("SHA-256", step.value);
    step = steps.next(new Uint8Array(hash));
  }
  return step.value;
}

/** The SHA-256 of texts and bytes, in hex. */
export async function sha256Hex(...parts) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts))));
}
