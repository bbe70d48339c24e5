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
import { Line, type LineOwner, type LineRules, type Place } from './http-line.ts';

export interface LinesRules extends LineRules {
  readonly openLinesMax: number;
}

/** How often idle lines are looked through for those whose time is over. */
const SWEEP_MS = 1_000;

export class Lines implements LineOwner {
  readonly rules: LinesRules;
  readonly sessions = new TlsSessions();
  readonly #idleByKey = new Map<string, Line[]>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Line>();
  readonly #all = new Set<Line>();
  #sweeper: ReturnType<typeof setInterval> | undefined;

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
    const key = keyOf(place);
    const waiting = this.#idleByKey.get(key);
    const line = waiting?.[waiting.length - 1];
    if (line === undefined) return this.open(place, key);
    this.#unidle(line);
    line.reuse();
    return line;
  }

  /** A line with a connection of its own, whatever idles. */
  open(place: Place, key = keyOf(place)): Line {
    if (this.#all.size >= this.rules.openLinesMax) this.#dropOldestIdle();
    const line = new Line(this, key, place);
    this.#all.add(line);
    return line;
  }

  idle(line: Line): void {
    const waiting = this.#idleByKey.get(line.key);
    if (waiting === undefined) this.#idleByKey.set(line.key, [line]);
    else waiting.push(line);
    this.#idle.add(line);
    this.#keepSweeping();
    if (this.#all.size > this.rules.openLinesMax) this.#dropOldestIdle();
  }

  isIdle(line: Line): boolean {
    return this.#idle.has(line);
  }

  forget(line: Line): void {
    this.#unidle(line);
    this.#all.delete(line);
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const line of [...this.#all]) line.drop();
  }

  #keepSweeping(): void {
    if (this.#sweeper !== undefined) return;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.rules.idleMs));
    this.#sweeper.unref();
  }

  #sweep(): void {
    const now = this.rules.clock.now();
    for (const line of [...this.#idle]) if (line.idleUntil <= now) line.drop();
    if (this.#idle.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #dropOldestIdle(): void {
    for (const oldest of this.#idle) {
      oldest.drop();
      return;
    }
  }

  #unidle(line: Line): void {
    if (!this.#idle.delete(line)) return;
    const waiting = this.#idleByKey.get(line.key) as Line[];
    if (waiting.length === 1) this.#idleByKey.delete(line.key);
    else waiting.splice(waiting.indexOf(line), 1);
  }
}

function keyOf({ headerBytes, address, origin }: Place): string {
  return `${headerBytes} ${address} ${origin}`;
}
