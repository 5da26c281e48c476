// Parts: a long list of choices, divided by what some of them have in common.

const MANY = 9; // parts; more are no help
const WORTH = 4; // letters by which the words of a part go beyond those of all

/**
 * The parts of a list: by the field of their decisions that divides it into fewest, if the words
 * of each part begin alike, and otherwise than those of the others.
 * @param {{label: string, decision: Record<string, any>}[]} choices
 * @returns {{words: string, choices: object[]}[]} none where it cannot be divided so
 */
export function partsOf(choices) {
  const names = Object.keys(choices[0].decision).filter((name) => name !== "type");
  const common = begins(choices).length;
  let best = [];
  for (const name of names) {
    const groups = new Map();
    for (const choice of choices) {
      const value = JSON.stringify(choice.decision[name]);
      groups.set(value, [...(groups.get(value) || []), choice]);
    }
    if (groups.size < 2 || groups.size > MANY || (best.length && groups.size >= best.length)) continue;
    const parts = [...groups.values()].map((group) => ({ words: begins(group), choices: group }));
    const told = new Set(parts.map((part) => part.words)).size === parts.length;
    const apart = parts.every((part) => part.words.length >= common + WORTH && part.choices.length > 1);
    if (told && apart) best = parts;
  }
  return best.sort((one, other) => (one.words < other.words ? -1 : 1));
}

/** The whole words with which all of some labels begin. */
function begins(choices) {
  const words = choices.map((choice) => choice.label.split(" "));
  const [first] = words;
  let many = 0;
  while (many < first.length && words.every((one) => one[many] === first[many])) many += 1;
  return first.slice(0, many).join(" ");
}
