// Playing: going on by itself; keeping the address; saying aloud what happens.

import { useEffect, useRef, useState } from "../vendor/preact.js";

const BEAT = 1200; // ms for an event, at speed 1
const BREATH = 2500; // ms between two sentences said aloud while playing
const SETTLED = 150; // ms before the address is written: browsers count how often it is

/** Go on from event to event while `playing`. */
export function usePlaying(playing, at, last, speed, go, stop) {
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) {
      stop();
      return undefined;
    }
    const waiting = setTimeout(() => go(at + 1), BEAT / speed);
    return () => clearTimeout(waiting);
  }, [playing, at, last, speed]);
}

/** The words for a live region: each event's, but not more than one can listen to. */
export function useSaid(words, playing) {
  const [said, say] = useState("");
  const spoken = useRef(0);
  const waiting = useRef(0);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return undefined;
    }
    const wait = playing ? Math.max(0, spoken.current + BREATH - performance.now()) : 120;
    waiting.current = setTimeout(() => {
      spoken.current = performance.now();
      say(words);
    }, wait);
    return () => clearTimeout(waiting.current);
  }, [words, playing]);
  // An answer to a person's action is said at once, and replaces a sentence that waits.
  const sayNow = (now) => {
    clearTimeout(waiting.current);
    say(now);
  };
  return [said, sayNow];
}

/** The address follows the event, a moment behind it. */
export function useAddress(address, at, as, heard) {
  const live = useRef(null);
  live.current = heard;
  const waiting = useRef(0);
  useEffect(() => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => {
      const now = address.read();
      if (now.at !== at || now.as !== as) address.write(at, as, false);
    }, SETTLED);
    return () => clearTimeout(waiting.current);
  }, [at, as]);
  useEffect(() => address.listen((place) => {
    clearTimeout(waiting.current);
    live.current(place);
  }), []);
  return () => clearTimeout(waiting.current);
}
