/**
 * Connections kept open between exchanges: a bounded set of lines, each to one origin at one
 * address, each carrying one exchange at a time.
 *
 *   take   an idle line to the same place, or a new one; so an origin has as many connections
 *          as it has exchanges at once, and one asked every second keeps its connection
 *   give   back after a clean end: the line idles
 *   drop   when the server or the keep-alive time closes it, or when there are too many: the
 *          line that idled longest goes first
 *
 * Nothing here remembers a host without an open line, so a long crawl leaves nothing behind.
 */
import { TlsSessions } from './http-connect.ts';
import { ClientLine, type Line, type LineOwner, type LineRules, type Place } from './http-line.ts';

export interface LinesRules extends LineRules {
  readonly openLinesMax: number;
}

export class Lines implements LineOwner {
  readonly rules: LinesRules;
  readonly sessions = new TlsSessions();
  readonly #idleByKey = new Map<string, ClientLine[]>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<ClientLine>();
  readonly #all = new Set<ClientLine>();

  constructor(rules: LinesRules) {
    this.rules = rules;
  }

  get openCount(): number {
    return this.#all.size;
  }

  get idleCount(): number {
    return this.#idle.size;
  }

  take(place: Place): Line {
    const key = `${place.headerBytes} ${place.address} ${place.origin}`;
    const waiting = this.#idleByKey.get(key);
    const line = waiting?.[waiting.length - 1];
    if (line === undefined) return this.open(place, key);
    this.#unidle(line);
    line.reuse();
    return line;
  }

  /** A line with a connection of its own, whatever idles. */
  open(place: Place, key = `${place.headerBytes} ${place.address} ${place.origin}`): Line {
    if (this.#all.size >= this.rules.openLinesMax) this.#dropOldestIdle();
    const line = new ClientLine(this, key, place);
    this.#all.add(line);
    return line;
  }

  idle(line: ClientLine): void {
    const waiting = this.#idleByKey.get(line.key);
    if (waiting === undefined) this.#idleByKey.set(line.key, [line]);
    else waiting.push(line);
    this.#idle.add(line);
    if (this.#all.size > this.rules.openLinesMax) this.#dropOldestIdle();
  }

  isIdle(line: ClientLine): boolean {
    return this.#idle.has(line);
  }

  forget(line: ClientLine): void {
    this.#unidle(line);
    this.#all.delete(line);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((line) => line.close()));
  }

  #dropOldestIdle(): void {
    for (const oldest of this.#idle) {
      oldest.drop();
      return;
    }
  }

  #unidle(line: ClientLine): void {
    if (!this.#idle.delete(line)) return;
    const waiting = this.#idleByKey.get(line.key) as ClientLine[];
    if (waiting.length === 1) this.#idleByKey.delete(line.key);
    else waiting.splice(waiting.indexOf(line), 1);
  }
}
