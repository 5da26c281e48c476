// Zoom: a picture that can be drawn nearer and moved, by finger, mouse, wheel or button.
// It only moves the picture's window, so that nothing in it is drawn again.

import { number } from "./places.js";
import { useEffect, useMemo, useRef, useState } from "../vendor/preact.js";

const NEAREST = 6;
const STEP = 1.4;
const MOVED = 5; // pixels: less is a click

/** The window on a picture: what of it is seen. */
export class Window {
  /** @param {(near: number) => void} told called with how near it is now */
  constructor(told) {
    this.told = told;
    this.whole = [0, 0, 1, 1]; // left, top, width, height
    this.near = 1;
    this.middle = [0.5, 0.5];
    this.fingers = new Map();
    this.dragged = false;
  }

  /** The picture has this size from now on. */
  sized([left, top, right, bottom]) {
    const whole = [left, top, right - left, bottom - top];
    if (whole.every((value, at) => value === this.whole[at])) return;
    this.whole = whole;
    this.fit();
  }

  /** All of it. */
  fit() {
    const [left, top, width, height] = this.whole;
    this.near = 1;
    this.middle = [left + width / 2, top + height / 2];
    this.show();
  }

  /** The visible part, as the viewBox of an SVG. */
  get box() {
    const [, , width, height] = this.whole;
    const [across, down] = [width / this.near, height / this.near];
    const [x, y] = this.middle;
    return [x - across / 2, y - down / 2, across, down].map(number).join(" ");
  }

  /** Nearer by a factor, with a point of the picture staying where it is. */
  zoom(factor, around = this.middle) {
    const near = Math.min(NEAREST, Math.max(1, this.near * factor));
    const ratio = this.near / near;
    this.middle = this.middle.map((at, axis) => around[axis] + (at - around[axis]) * ratio);
    this.near = near;
    this.show();
  }

  /** Move by so much of the picture, never out of it. */
  move(across, down) {
    this.middle = [this.middle[0] + across, this.middle[1] + down];
    this.show();
  }

  /** Bring a point of the picture into sight. */
  reveal([x, y]) {
    const [, , width, height] = this.whole;
    const out = (at, of, reach) => Math.abs(at - of) > reach / this.near / 2 - 50;
    if (out(x, this.middle[0], width) || out(y, this.middle[1], height)) {
      this.middle = [x, y];
      this.show();
    }
  }

  show() {
    const [left, top, width, height] = this.whole;
    const within = (at, from, reach) => {
      const half = reach / this.near / 2;
      return Math.min(from + reach - half, Math.max(from + half, at));
    };
    this.middle = [within(this.middle[0], left, width), within(this.middle[1], top, height)];
    if (this.svg) this.svg.setAttribute("viewBox", this.box);
    this.told(this.near);
  }

  /** The point of the picture under the pointer. */
  under(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return this.middle;
    return [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d];
  }

  down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (!this.fingers.size) this.dragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, travelled: 0 });
  }

  moved(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [across, down] = [event.clientX - finger.x, event.clientY - finger.y];
    const travelled = finger.travelled + Math.hypot(across, down);
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId);
    if (others.length) this.pinched(finger, event, others[0][1]);
    else if (this.near > 1 && travelled > MOVED) this.dragBy(event, across, down);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, travelled });
  }

  dragBy(event, across, down) {
    if (!this.dragged) this.svg.setPointerCapture(event.pointerId);
    this.dragged = true;
    const matrix = this.svg.getScreenCTM();
    if (matrix) this.move(-across / matrix.a, -down / matrix.d);
  }

  pinched(was, now, other) {
    const apart = (one) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
    const at = { x: now.clientX, y: now.clientY };
    const middle = { clientX: (at.x + other.x) / 2, clientY: (at.y + other.y) / 2 };
    this.dragged = true;
    this.zoom(apart(at) / apart(was), this.under(middle));
  }

  up(event) {
    this.fingers.delete(event.pointerId);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.under(event));
  }
}

/**
 * A window on the SVG that `ref` is given to.
 * @param {[number, number, number, number]} sides left, top, right and bottom of the whole
 * @returns {{ref: object, view: Window, near: number, nearer: Function, farther: Function, fit: Function}}
 */
export function useZoom(sides) {
  const [near, told] = useState(1);
  const view = useMemo(() => new Window(told), []);
  const ref = useRef(null);
  view.sized(sides);
  useEffect(() => {
    const svg = ref.current;
    view.svg = svg;
    const kinds = {
      pointerdown: (event) => view.down(event),
      pointermove: (event) => view.moved(event),
      pointerup: (event) => view.up(event),
      pointercancel: (event) => view.up(event),
      pointerleave: (event) => view.dragged || view.up(event),
      wheel: (event) => view.wheel(event),
    };
    for (const [kind, heard] of Object.entries(kinds)) {
      svg.addEventListener(kind, heard, { passive: kind !== "wheel" });
    }
    return () => {
      for (const [kind, heard] of Object.entries(kinds)) svg.removeEventListener(kind, heard);
    };
  }, []);
  return {
    ref, view, near,
    nearer: () => view.zoom(STEP),
    farther: () => view.zoom(1 / STEP),
    fit: () => view.fit(),
  };
}
