/**
 * All connections with nodes that proved themselves: one life of each id, and no more than fit.
 *
 * A key that was copied, or a process that was started twice, makes two nodes with one id. Whoever
 * is here first stays as long as it shows itself; a process that is gone and came back with its
 * key is let in, because its former life does not.
 */
import type { Instant } from '../../base/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HelloAnswer } from '../../ring/index.ts';
import type { PeerLimits } from './limits.ts';
import type { Session } from './session.ts';

/** When all places are taken, one goes to a newcomer if nobody spoke there for so long. */
const QUIET_MS = 5_000;
const LAST_WORDS_MS = 500;

export class Sessions {
  readonly #byId = new Map<string, Session[]>();
  readonly #limits: PeerLimits;
  #count = 0;

  constructor(limits: PeerLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  to(id: string): Session | undefined {
    return this.#byId.get(id)?.findLast(({ line }) => line.isOpen);
  }

  /** `welcome` is called before anything can be sent on the session, if it is let in. */
  async admit(session: Session, now: () => Instant, welcome: () => void): Promise<HelloAnswer> {
    for (let rivals = this.#rivals(session); rivals.length > 0; rivals = this.#rivals(session)) {
      const alive = await Promise.all(rivals.map((rival) => rival.isAlive()));
      if (alive.some(Boolean)) return 'id-taken';
      for (const rival of rivals) rival.line.close('another life of this node is here');
    }
    if (!this.#hasRoom(now())) return 'full';
    welcome();
    this.#add(session);
    return 'welcome';
  }

  closeIdle(now: Instant): void {
    for (const { line, usedAt } of this.#all()) {
      if (now - usedAt >= this.#limits.idleMs) line.close('idle');
    }
  }

  /** What was said goes out first, to all who still read. */
  async closeAll(clock: Clock): Promise<void> {
    const lines = this.#all().map(({ line }) => line);
    for (const line of lines) line.closeAfterSending('closed here');
    const stop = new AbortController();
    const late = clock.sleepUntil(clock.now() + LAST_WORDS_MS, stop.signal);
    await Promise.race([late, Promise.all(lines.map(({ closed }) => closed))]);
    stop.abort();
    for (const line of lines) line.close('closed here');
  }

  #rivals({ peer, life }: Session): Session[] {
    return (this.#byId.get(peer.id) ?? []).filter((one) => one.life !== life && one.line.isOpen);
  }

  #all(): Session[] {
    return [...this.#byId.values()].flat();
  }

  #hasRoom(now: Instant): boolean {
    if (this.#count < this.#limits.sessionsMax) return true;
    const quietest = this.#all().reduce((a, b) => (b.usedAt < a.usedAt ? b : a));
    if (now - quietest.usedAt < QUIET_MS) return false;
    quietest.line.close('room for another');
    this.#remove(quietest);
    return true;
  }

  #add(session: Session): void {
    const { id } = session.peer;
    const others = this.#byId.get(id) ?? [];
    // A node that connects again has given up its last connection, whatever we still see of it.
    for (const one of others) {
      if (one.isDialled === session.isDialled) one.line.close('connected anew');
    }
    this.#byId.set(id, [...(this.#byId.get(id) ?? []), session]);
    this.#count++;
    void session.line.closed.then(() => this.#remove(session));
    session.start();
  }

  #remove(session: Session): void {
    const { id } = session.peer;
    const before = this.#byId.get(id) ?? [];
    const left = before.filter((one) => one !== session);
    if (left.length === before.length) return;
    this.#count--;
    if (left.length === 0) this.#byId.delete(id);
    else this.#byId.set(id, left);
  }
}
