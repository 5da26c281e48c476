// The page's knowledge: the match, the position, the log, the talk, and the requests for them.

import { renewed, touchedCells } from "../board/scenes.js";
import { Follower } from "./follow.js";
import { seatShort } from "./names.js";
import { Plan } from "./plan.js";
import { Lost, Wire } from "./wire.js";

const LOG_SHOWN = 120; // events that are asked for at first
const LOG_MORE = 300;
const TOGETHER_MS = 40; // what comes together is looked at together
const NOTICES_MAX = 4;

/** One table, as somebody sees it. */
export class Table {
  /** @param {object} config what the page says of the match and of who looks */
  constructor(config) {
    this.config = config;
    this.wire = new Wire(config.csrf);
    this.seat = config.as === "spectator" ? null : Number(config.as);
    this.match = null;
    this.matchAt = 0; // when it was told, by this machine's clock
    this.position = null;
    this.scene = null;
    this.before = null; // the scene of the version before
    this.log = [];
    this.talk = { last: 0, lines: [], unread: 0, read: false };
    this.undos = [];
    this.digest = null;
    this.link = "";
    this.said = ""; // for who listens
    this.notices = [];
    this.noticed = 0;
    this.version = 0;
    this.listeners = new Set();
    this.timer = 0;
    this.looking = null;
    this.wanted = false;
    this.plan = this.seat === null ? null : this.planned();
    this.follower = new Follower({
      match: config.match,
      as: config.as,
      last: () => this.last,
      heard: (kind, said) => this.heard(kind, said),
      became: (state) => this.became(state),
      ask: async (since) => (await this.wire.get(`${this.path}/facts?${this.eyes}&since=${since}`)).events,
    });
  }

  planned() {
    return new Plan({
      wire: this.wire,
      match: this.config.match,
      seat: this.seat,
      changed: () => this.tell(),
      says: (words, more) => this.notice(words, more),
      done: () => this.look(),
    });
  }

  get path() {
    return `/matches/${this.config.match}`;
  }

  get eyes() {
    return `as=${this.config.as}`;
  }

  /** The number of the last event that is known. */
  get last() {
    return this.log.length ? this.log[this.log.length - 1].version : this.version;
  }

  /** True if this seat may decide now. */
  get mine() {
    return Boolean(this.position && this.position.asked);
  }

  /** True if the person has a seat at this table. */
  get seated() {
    return this.seat !== null && Boolean(this.match) && this.match.yours.includes(this.seat);
  }

  // --- telling ----------------------------------------------------------------------------------

  /** @param {() => void} heard */
  listen(heard) {
    this.listeners.add(heard);
    return () => this.listeners.delete(heard);
  }

  tell() {
    for (const heard of this.listeners) heard();
  }

  /** Say something that is to be read until it is put away. */
  notice(words, more = {}) {
    this.noticed += 1;
    const known = this.notices.filter((one) => one.words !== words);
    this.notices = [...known, { id: this.noticed, words, ...more }].slice(-NOTICES_MAX);
    this.tell();
  }

  putAway(id) {
    this.notices = this.notices.filter((one) => one.id !== id);
    this.tell();
  }

  /** Do something that is asked of the API; what goes wrong is said. */
  async act(method, path, said) {
    try {
      const answer = await this.wire.ask(method, `${this.path}${path}`, said);
      this.soon();
      return answer === null ? true : answer;
    } catch (why) {
      const words = why instanceof Lost ? "No answer came. Try again." : why.message;
      this.notice(words, { grave: true });
      return null;
    }
  }

  // --- learning ---------------------------------------------------------------------------------

  /** Begin: what there is, then what comes. */
  async start() {
    try {
      await this.lookOnce();
      const since = Math.max(0, this.version - LOG_SHOWN);
      await Promise.all([this.readLog(since), this.readTalk(), this.readUndos(), this.readDigest()]);
    } catch (why) {
      this.notice(`The table cannot be loaded: ${why.message}`, { grave: true });
      setTimeout(() => this.start(), 3_000);
      return;
    }
    this.tell();
    this.follower.start();
    if (this.last > this.version) this.soon(); // decided while the log was read; told by nobody
    if (this.plan) this.plan.resume();
  }

  heard(kind, said) {
    if (kind === "event") this.take(said);
    const all = kind === "table"; // a line may have been taken down
    if (all) Promise.all([this.readUndos(), this.readTalk(0)]).then(() => this.tell(), () => {});
    if (kind === "talk") this.readTalk().then(() => this.tell(), () => {});
    this.soon();
  }

  /** An event, told live. */
  take(one) {
    if (one.version <= this.last && this.log.length) return;
    const { version, at, seat, undone, sentences } = one;
    this.log = [...this.log, { version, at, seat, undone, sentences, fresh: true }];
    this.said = sentences.join(" ") || this.said;
  }

  became(state) {
    const was = this.link;
    this.link = state;
    if (state !== "lost" && was === "lost") this.soon();
    if (state !== "lost" && this.plan) this.plan.awake();
    this.tell();
  }

  /** Look at the match as soon as what comes together has come. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), TOGETHER_MS);
  }

  /** Look at the match; once more where it was asked for meanwhile. */
  async look() {
    if (this.looking) {
      this.wanted = true;
      return this.looking;
    }
    this.looking = this.lookUntilDone();
    return this.looking;
  }

  async lookUntilDone() {
    try {
      do {
        this.wanted = false;
        await this.lookOnce();
      } while (this.wanted);
    } catch (why) {
      if (why.status === 403 || why.status === 401) return this.noMore();
      if (!(why instanceof Lost)) this.notice(why.message, { grave: true });
      setTimeout(() => this.soon(), 2_000);
    } finally {
      this.looking = null;
    }
  }

  /** These eyes are ours no more: somebody else sits there, or we are signed out. */
  noMore() {
    this.follower.stop();
    location.assign(location.pathname);
  }

  async lookOnce() {
    const [match, position] = await Promise.all([
      this.wire.get(this.path),
      this.wire.get(`${this.path}/choices?${this.eyes}`),
    ]);
    const went = position.version !== this.version;
    const first = !this.position;
    this.match = match;
    this.matchAt = Date.now();
    this.newlyOffered(position, first);
    this.position = position;
    if (went || !this.scene) this.drawn(position.scene);
    this.version = position.version;
    if (this.last < this.version && this.log.length) await this.readLog(this.last);
    this.tell();
    if (went && !first && this.plan) await this.plan.again();
  }

  drawn(plain) {
    this.before = this.scene;
    this.scene = plain ? renewed(this.scene, plain) : null;
  }

  /** The cells that have just changed, where the game marks none itself. */
  get touched() {
    const { before, scene } = this;
    if (!before || !scene || before === scene || scene.cells.some((cell) => cell.marked)) return null;
    return touchedCells(before, scene);
  }

  /** Something that stands open was not there before: an offer, as a rule. */
  newlyOffered(position, first) {
    const labels = (one) => one.standing.flatMap((asked) =>
      asked.kinds.flatMap((kind) => kind.choices.map((choice) => choice.label)));
    const own = this.log.some((one) => one.version > this.version && one.seat === this.seat);
    if (first || own || !this.position) return;
    const known = new Set(labels(this.position));
    const fresh = labels(position).filter((label) => !known.has(label));
    if (fresh.length) this.notice(`You may now: ${fresh[0]}`, { standing: true });
  }

  // --- what lies beside it ----------------------------------------------------------------------

  async readLog(since) {
    const path = `${this.path}/facts?${this.eyes}&since=${since}&limit=${LOG_MORE}`;
    const { events } = await this.wire.get(path);
    const known = new Map(this.log.map((one) => [one.version, one]));
    for (const { version, at, seat, undone, sentences } of events) {
      known.set(version, { ...known.get(version), version, at, seat, undone, sentences });
    }
    this.log = [...known.values()].sort((one, other) => one.version - other.version);
  }

  /** Reads the events before the first line shown. */
  async readEarlier() {
    if (!this.log.length || this.log[0].version === 1) return;
    await this.readLog(Math.max(0, this.log[0].version - 1 - LOG_MORE));
    this.tell();
  }

  async readTalk(since = this.talk.last) {
    const found = await this.wire.get(`${this.path}/talk?${this.eyes}&since=${since}`);
    const known = new Map(this.talk.lines.map((line) => [line.number, line]));
    for (const line of found.lines) known.set(line.number, line);
    const { last, read } = this.talk;
    const fresh = found.lines.filter((line) => read && line.number > last && line.seat !== this.seat);
    this.talk = {
      last: Math.max(found.last, last),
      lines: [...known.values()],
      unread: this.talk.unread + fresh.length,
      read: true,
    };
    if (fresh.length) this.said = `${fresh[fresh.length - 1].name} says: ${fresh[fresh.length - 1].text}`;
  }

  /** Read all of it anew: somebody is hidden, or shown again. */
  async readTalkAnew() {
    this.talk = { last: 0, lines: [], unread: 0, read: false };
    await this.readTalk();
    this.tell();
  }

  talkRead() {
    if (this.talk.unread) this.talk = { ...this.talk, unread: 0 };
    this.tell();
  }

  async readUndos() {
    const { undos } = await this.wire.get(`${this.path}/undo`);
    const known = new Set(this.undos.map((one) => one.number));
    const first = this.back === undefined;
    this.undos = undos.filter((one) => one.state === "open");
    this.newlyAsked(first ? [] : this.undos.filter((one) => !known.has(one.number)));
    const back = undos.filter((one) => one.state === "done").length;
    if (!first && back !== this.back) await this.readLog(Math.max(0, this.last - LOG_MORE));
    this.back = back;
  }

  /** Others ask to go back: whoever sits here is told, until there is nothing to answer. */
  newlyAsked(requests) {
    const open = this.undos.filter((one) => !one.agreed.includes(this.seat)).map((one) => one.number);
    this.notices = this.notices.filter((one) => !one.undo || open.includes(one.undo));
    for (const one of this.seated ? requests.filter((request) => request.seat !== this.seat) : []) {
      this.said = `${seatShort(this, one.seat)} asks to go back to event ${one.to}: ${one.reason}`;
      this.notice(`${this.said}. Agree or decline under Table.`, { undo: one.number });
    }
  }

  async readDigest() {
    if (this.seat === null) return;
    const digest = await this.wire.get(`${this.path}/digest?${this.eyes}`);
    if (digest.since && digest.events.length > 1) this.digest = digest;
  }
}
