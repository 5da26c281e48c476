// Copying: a text to the clipboard, also where a page may not write there by itself.

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is there
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
}

function byHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "out-of-sight";
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  field.remove();
  if (focused instanceof HTMLElement || focused instanceof SVGElement) focused.focus();
  return done;
}
