// Grouping: what lies beside the board, by whose it is, as replays/drawing/groups.py; and targets.

/**
 * Groups the shared things and those of each player; one group if the scene names no players.
 * @param {object} scene
 * @returns {{name: string, seat: number | null, counters: object[], tracks: object[],
 *   lots: {place: string, cards: object[]}[]}[]}
 */
export function groups(scene) {
  const { counters, tracks, cards, players } = scene;
  if (!players.length) return [{ name: "", seat: null, counters, tracks, lots: lots(cards) }];
  const shared = group(scene, null, "");
  return [shared, ...players.map((player, seat) => group(scene, seat, player.name))];
}

function group(scene, seat, name) {
  const own = (list) => list.filter((one) => one.seat === seat);
  const { counters, tracks, cards } = scene;
  return { name, seat, counters: own(counters), tracks: own(tracks), lots: lots(own(cards)) };
}

/** Cards beside each other in the same place, in the order of the scene. */
function lots(cards) {
  const found = [];
  for (const card of cards) {
    const last = found[found.length - 1];
    if (last && last.place === card.place) last.cards.push(card);
    else found.push({ place: card.place, cards: [card] });
  }
  return found;
}

/** Groups targets by the thing that a person clicks. */
export function targetsOf(targets) {
  const found = new Map();
  for (const target of targets) {
    if (found.has(target.on)) found.get(target.on).push(target);
    else found.set(target.on, [target]);
  }
  return found;
}
