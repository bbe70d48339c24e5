/**
 * Answers that pages may share (J2): a site's scripts are asked for once, also when two of its
 * pages want them at the same time. Bounded in bytes; the one used longest ago goes first.
 */
import type { Instant } from '../base/instant.ts';
import { reusableMs } from '../fetch/reuse.ts';
import type { WishAnswer, WishKind } from '../ports/renderer.ts';

interface Kept {
  readonly answer: WishAnswer & { readonly kind: 'answered' };
  readonly until: Instant;
}

const BYTES_MAX = 64 << 20;
const ENTRY_BYTES = 1_024;

export class RenderCache {
  readonly #kept = new Map<string, Kept>();
  readonly #open = new Map<string, Promise<WishAnswer>>();
  #bytes = 0;

  async get(
    url: string,
    kind: WishKind,
    now: () => Instant,
    ask: () => Promise<WishAnswer>,
  ): Promise<WishAnswer> {
    const kept = this.#find(url, now());
    if (kept !== undefined) return kept;
    if (!isShared(kind)) return this.#ask(url, kind, now, ask);
    const open = this.#open.get(url);
    if (open !== undefined) return open;
    const asking = this.#ask(url, kind, now, ask).finally(() => this.#open.delete(url));
    this.#open.set(url, asking);
    return asking;
  }

  async #ask(
    url: string,
    kind: WishKind,
    now: () => Instant,
    ask: () => Promise<WishAnswer>,
  ): Promise<WishAnswer> {
    const answer = await ask();
    if (answer.kind !== 'answered') return answer;
    const ms = reusableMs(answer.status, answer.headers, isShared(kind), now());
    if (ms > 0) this.#keep(url, { answer, until: now() + ms });
    return answer;
  }

  #find(url: string, now: Instant): WishAnswer | undefined {
    const kept = this.#kept.get(url);
    if (kept === undefined) return undefined;
    this.#drop(url, kept);
    if (kept.until <= now) return undefined;
    this.#keep(url, kept);
    return kept.answer;
  }

  #keep(url: string, kept: Kept): void {
    const bytes = sizeOf(kept);
    if (bytes > BYTES_MAX / 4) return;
    const before = this.#kept.get(url);
    if (before !== undefined) this.#drop(url, before);
    this.#kept.set(url, kept);
    this.#bytes += bytes;
    for (const [oldest, one] of this.#kept) {
      if (this.#bytes <= BYTES_MAX) break;
      this.#drop(oldest, one);
    }
  }

  #drop(url: string, kept: Kept): void {
    if (this.#kept.delete(url)) this.#bytes -= sizeOf(kept);
  }
}

/** Scripts and styles are the same for every page. */
export function isShared(kind: WishKind): boolean {
  return kind === 'script' || kind === 'stylesheet';
}

function sizeOf({ answer }: Kept): number {
  return answer.body.length + ENTRY_BYTES;
}
