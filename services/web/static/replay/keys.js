// Keys: what each does. Every one has a button that says the same, and the help lists them all.

/** In the order of the help: what it does, its keys as the browser names them, how it is shown. */
export const KEYS = [
  { does: "event-back", keys: ["ArrowLeft"], shown: ["←"], name: "Previous event" },
  { does: "event-on", keys: ["ArrowRight"], shown: ["→"], name: "Next event" },
  { does: "first", keys: ["Home"], shown: ["Home"], name: "First event" },
  { does: "last", keys: ["End"], shown: ["End"], name: "Last event" },
  { does: "turn-back", keys: ["ArrowUp"], shown: ["↑"], name: "Previous turn" },
  { does: "turn-on", keys: ["ArrowDown"], shown: ["↓"], name: "Next turn" },
  { does: "phase-back", keys: [","], shown: [","], name: "Previous phase" },
  { does: "phase-on", keys: ["."], shown: ["."], name: "Next phase" },
  { does: "round-back", keys: ["["], shown: ["["], name: "Previous round" },
  { does: "round-on", keys: ["]"], shown: ["]"], name: "Next round" },
  { does: "player-back", keys: ["Shift+ArrowLeft"], shown: ["Shift", "←"], name: "Previous of the same player" },
  { does: "player-on", keys: ["Shift+ArrowRight"], shown: ["Shift", "→"], name: "Next of the same player" },
  { does: "conflict-back", keys: ["Shift+x"], shown: ["Shift", "X"], name: "Previous conflict" },
  { does: "conflict-on", keys: ["x"], shown: ["X"], name: "Next conflict" },
  { does: "deal-back", keys: ["Shift+d"], shown: ["Shift", "D"], name: "Previous deal" },
  { does: "deal-on", keys: ["d"], shown: ["D"], name: "Next deal" },
  { does: "play", keys: ["k", " "], shown: ["Space", "K"], name: "Play or pause" },
  { does: "slower", keys: ["<", "-"], shown: ["<", "−"], name: "Slower" },
  { does: "faster", keys: [">", "+"], shown: [">", "+"], name: "Faster" },
  { does: "go", keys: ["g"], shown: ["G"], name: "Go to an event: its number, then Enter" },
  { does: "viewpoint", keys: ["f"], shown: ["F"], name: "Next viewpoint" },
  { does: "edition", keys: ["e"], shown: ["E"], name: "Switch between the rules as played and today's rules" },
  { does: "search", keys: ["/"], shown: ["/"], name: "Search the log" },
  { does: "copy", keys: ["c"], shown: ["C"], name: "Copy the link" },
  { does: "help", keys: ["?"], shown: ["?"], name: "Show the keys" },
];

const BY_ACTION = new Map(KEYS.map((one) => [one.does, one]));
const BY_KEY = new Map(KEYS.flatMap((one) => one.keys.map((key) => [key, one.does])));

const SPOKEN = { " ": "Space", "+": "Plus" };

/** Returns an action's keys, for assistive technology. */
export function shortcuts(does) {
  const one = BY_ACTION.get(does);
  return one ? one.keys.map((key) => SPOKEN[key] || key).join(" ") : undefined;
}

/** The keys of an action behind its name: for titles. */
export function titled(name, does) {
  const one = BY_ACTION.get(does);
  return one ? `${name} (${one.shown.join(one.keys.length > 1 ? " or " : "+")})` : name;
}

/**
 * Returns the action of a key. In a text field, or in a combination of keys, it has none.
 * @param {KeyboardEvent} event
 * @returns {string} an action, "digit", or ""
 */
export function asked(event) {
  const altGr = event.getModifierState && event.getModifierState("AltGraph");
  if (event.defaultPrevented || event.metaKey) return "";
  if ((event.ctrlKey || event.altKey) && !altGr) return "";
  if (typing(event.target)) return "";
  if (event.key === " " && pressable(event.target)) return "";
  if (/^[0-9]$/.test(event.key)) return "digit";
  const arrow = event.key.startsWith("Arrow");
  const letter = /^[a-z]$/i.test(event.key);
  const key = letter ? event.key.toLowerCase() : event.key;
  return BY_KEY.get(event.shiftKey && (arrow || letter) ? `Shift+${key}` : key) || "";
}

const TYPED = "input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]";

function typing(target) {
  return target instanceof Element && target.closest(TYPED) !== null;
}

function pressable(target) {
  return target instanceof Element && target.closest("button, a, summary, input") !== null;
}
