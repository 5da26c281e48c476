// Names: what seats, states and amounts are called on this page.

import { seatClass } from "../board/paints.js";

const STATES = {
  open: "waiting for players", running: "running", paused: "paused", parked: "parked",
  finished: "finished", abandoned: "abandoned", unreadable: "unreadable",
};

/**
 * Names a seat: its name in the game, if it has one, and its holder.
 * @param {import("./state.js").Table} table
 * @param {number} seat
 */
export function seatWords(table, seat) {
  const player = table.scene && table.scene.players[seat];
  const sitting = table.match && table.match.seats[seat];
  const name = sitting && sitting.name ? sitting.name : "";
  if (player && player.name !== `Seat ${seat}` && name) return `${player.name} (${name})`;
  return name || (player ? player.name : `Seat ${seat}`);
}

/**
 * The same in one word, as buttons have it.
 * @param {import("./state.js").Table} table
 * @param {number} seat
 */
export function seatShort(table, seat) {
  const player = table.scene && table.scene.players[seat];
  if (player && player.name !== `Seat ${seat}`) return player.name;
  const sitting = table.match && table.match.seats[seat];
  return sitting && sitting.name ? sitting.name : `Seat ${seat}`;
}

/**
 * The classes of what belongs to a seat.
 * @param {import("./state.js").Table} table
 * @param {number | null} seat
 */
export function seatClasses(table, seat) {
  return seat === null || seat < 0 ? "" : seatClass(table.scene, seat);
}

/** @param {string} state */
export function stateWords(state) {
  return STATES[state] || state;
}

/**
 * Words with commas, and an `and` before the last.
 * @param {string[]} words
 */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/**
 * Words a decision's costs and gains: −4 caps, +2 chips.
 * @param {Record<string, number> | undefined} moves
 */
export function movesWords(moves) {
  return Object.entries(moves || {})
    .filter(([, amount]) => amount)
    .map(([currency, amount]) => `${amount > 0 ? "+" : "−"}${Math.abs(amount)} ${currency}`)
    .join(", ");
}

/**
 * All of several, by currency.
 * @param {Record<string, number>[]} many
 */
export function summed(many) {
  const total = {};
  for (const moves of many) {
    for (const [currency, amount] of Object.entries(moves || {})) {
      total[currency] = (total[currency] || 0) + amount;
    }
  }
  return total;
}

/**
 * A time that is left: 2 d 3 h, 1:02:03, 4:05.
 * @param {number} milliseconds
 */
export function leftWords(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24];
  if (days) return `${days} d ${hours} h`;
  const two = (number) => String(number).padStart(2, "0");
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest.replace(/^0/, "");
}

/**
 * When something happened, in the zone of who looks.
 * @param {number} milliseconds
 */
export function timeWords(milliseconds) {
  const when = new Date(milliseconds);
  const today = when.toDateString() === new Date().toDateString();
  const time = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return today ? time : `${when.toLocaleDateString([], { day: "numeric", month: "short" })}, ${time}`;
}
