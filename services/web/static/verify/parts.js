// The parts of a replay in one file: written into the page in base64, packed with gzip.

/** The bytes of a part, or an error that says which part cannot be read. */
export async function part(id) {
  const text = document.getElementById(id).textContent.trim();
  try {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`a part of this file is damaged (${id})`);
  }
}

/** A part that is JSON. */
export async function jsonPart(id) {
  const bytes = await part(id);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`a part of this file is damaged (${id})`);
  }
}
