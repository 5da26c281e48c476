// Kept: what was drawn of each thing, and of what it was drawn. Where that is the same, the same
// node is drawn again, and Preact leaves all of it alone.

import { h } from "../vendor/preact.js";

/** Preact passes over a component whose node is the one from before, though not over an element. */
function Still({ children }) {
  return children;
}

/** Tells if two lists have the same members. This runs thousands of times at each step. */
function same(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** A memory of nodes, and of what else is made of things that seldom change. */
export class Kept {
  constructor() {
    this.known = new Map();
  }

  /**
   * Makes a value of some things, or returns the one made before if all of them are the same.
   * @param {string} key
   * @param {any[]} of
   * @param {() => any} make
   */
  value(key, of, make) {
    const old = this.known.get(key);
    if (old && same(old.of, of)) return old.value;
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
   * A layer of many things: as long as nothing that it is made of has changed, none of them is
   * looked at; and where all of them are as they were, so is the layer.
   * @param {string} key
   * @param {any[]} of
   * @param {() => any[]} nodes each of them kept
   * @param {(nodes: any[]) => any} make
   */
  layer(key, of, nodes, make) {
    return this.value(`layer ${key}`, of, () => {
      const all = nodes();
      return this.node(key, all, () => make(all));
    });
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
