// Kept: what was drawn of each thing, and of what it was drawn. Where that is the same, the same
// node is drawn again, and Preact leaves all of it alone.

import { h } from "../vendor/preact.js";

/** Preact passes over a component whose node is the one from before, though not over an element. */
function Still({ children }) {
  return children;
}

/** A memory of nodes, and of what else is made of things that seldom change. */
export class Kept {
  constructor() {
    this.known = new Map();
  }

  /**
   * What is made of some things: what it was before if all of them are the same.
   * @param {string} key
   * @param {any[]} of
   * @param {() => any} make
   */
  value(key, of, make) {
    const old = this.known.get(key);
    if (old && old.of.length === of.length && old.of.every((one, at) => one === of[at])) {
      return old.value;
    }
    const value = make();
    this.known.set(key, { of, value });
    return value;
  }

  /**
   * The node of a thing; its key tells it from those beside it.
   * @param {string} key
   * @param {any[]} of
   * @param {() => any} make nothing at all is a node too
   */
  node(key, of, make) {
    return this.value(key, of, () => h(Still, { key }, make()));
  }

  /**
   * A list of the same members is the same list.
   * @param {string} key
   * @param {any[]} list
   */
  list(key, list) {
    return this.value(`list ${key}`, list, () => list);
  }
}
