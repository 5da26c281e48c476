// Addresses: the event and the viewpoint, as the browser's bar names them.

const SPECTATOR = "spectator";

/** Reads an address: the event, or null, and the viewpoint. */
function told(text) {
  const query = new URLSearchParams(text);
  const at = query.get("at");
  return { at: at && /^\d{1,9}$/.test(at) ? Number(at) : null, as: query.get("as"), query };
}

/** The address of a page on a site: `/matches/M/replay?at=N&as=0`. */
export class PageAddress {
  /** @param {string} match */
  constructor(match) {
    this.path = `/matches/${match}/replay`;
  }

  read() {
    const { at, as, query } = told(location.search);
    return { at, as: as || SPECTATOR, edition: query.get("edition") || "" };
  }

  href(at, as, edition = this.read().edition) {
    return `${this.path}?at=${at}&as=${as}${edition ? `&edition=${encodeURIComponent(edition)}` : ""}`;
  }

  write(at, as, anew, edition = this.read().edition) {
    const href = this.href(at, as, edition);
    if (anew) history.pushState({ at, as }, "", href);
    else history.replaceState({ at, as }, "", href);
  }

  /** Call when the browser goes back or forth. */
  listen(heard) {
    const go = () => heard(this.read());
    window.addEventListener("popstate", go);
    return () => window.removeEventListener("popstate", go);
  }

  full(at, as) {
    return new URL(this.href(at, as), location.href).href;
  }
}

/** The address of a file that is opened from a disk: `#at=N&as=0`. */
export class HashAddress {
  read() {
    const { at, as } = told(location.hash.slice(1));
    return { at, as: as || "", edition: "" };
  }

  href(at, as) {
    return `#at=${at}&as=${as}`;
  }

  write(at, as, anew) {
    // A file may be opened where its address cannot be written.
    try {
      if (anew) history.pushState(null, "", this.href(at, as));
      else history.replaceState(null, "", this.href(at, as));
    } catch {
      if (anew) location.hash = this.href(at, as);
    }
  }

  listen(heard) {
    const go = () => heard(this.read());
    window.addEventListener("popstate", go);
    window.addEventListener("hashchange", go);
    return () => {
      window.removeEventListener("popstate", go);
      window.removeEventListener("hashchange", go);
    };
  }

  full(at, as) {
    return `${location.href.split("#")[0]}${this.href(at, as)}`;
  }
}
