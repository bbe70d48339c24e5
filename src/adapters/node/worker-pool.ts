/**
 * The `ParserPool` port on worker threads (X3): the main thread keeps sockets, frontier and
 * store; the workers decode, parse, hash and compress.
 *
 * The first pages are read here: a thread takes half a second of CPU to begin, and many a crawl
 * is over by then. After them a worker is started when a page comes and none is free. One that is
 * busy enough is not given more: the main thread then does the page itself, so
 * that neither waits for the other. When one dies, the pages that it held are settled without
 * links, because one of them killed it, and the next page starts another.
 */
import { Worker } from 'node:worker_threads';
import { brokenDigest, type Digest, digest, type RawPage } from '../../content/index.ts';
import type { ParserPool } from '../../ports/parser-pool.ts';
import { owned } from './owned.ts';
import { slicedPool } from './sliced-pool.ts';

/** As many as a thread could read while it begins. */
const READ_HERE = 200;
/** A larger one is never read here: it might take long. */
const READ_HERE_BYTES_MAX = 256 << 10;
/** Pages that a worker may have waiting. */
const QUEUE_MAX = 4;
/** Heap of a worker: a page that needs more loses its links. */
const HEAP_MB_MAX = 512;

type Resolve = (digest: Digest) => void;

interface Answer {
  readonly id: number;
  readonly digest?: Digest;
  readonly error?: string;
}

class Hand {
  readonly pending = new Map<number, Resolve>();
  readonly #onDeath: (hand: Hand) => void;
  readonly #worker: Worker;

  constructor(onDeath: (hand: Hand) => void) {
    this.#onDeath = onDeath;
    const file = import.meta.url.endsWith('.ts') ? './digest-worker.ts' : './digest-worker.js';
    this.#worker = new Worker(new URL(file, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
      // Flags of a program that was typed in (node -e) would kill every thread at its start.
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => this.#finish(answer));
    this.#worker.on('error', () => this.#onDeath(this));
  }

  give(id: number, page: RawPage, resolve: Resolve): void {
    this.pending.set(id, resolve);
    const body = owned(page.body);
    this.#worker.postMessage({ id, page: { ...page, body } }, [body.buffer]);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #finish(answer: Answer): void {
    const resolve = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    resolve?.(answer.digest ?? brokenDigest(answer.error ?? 'the parser gave no answer'));
  }
}

export function workerPool(threads: number, readHere = READ_HERE): ParserPool {
  return new WorkerPool(threads, readHere);
}

class WorkerPool implements ParserPool {
  readonly #threads: number;
  readonly #hands: Hand[] = [];
  readonly #here = slicedPool();
  #leftHere: number;
  #last = 0;
  #isClosed = false;

  constructor(threads: number, readHere: number) {
    this.#threads = threads;
    this.#leftHere = readHere;
  }

  digest(page: RawPage): Promise<Digest> {
    if (this.#leftHere > 0 && page.body.length <= READ_HERE_BYTES_MAX) {
      this.#leftHere--;
      return this.#here.digest(page);
    }
    const hand = this.#freest();
    if (hand === undefined) return Promise.resolve(digest(page));
    return new Promise((resolve) => hand.give(++this.#last, page, resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#hands.map((hand) => hand.end()));
  }

  #freest(): Hand | undefined {
    let best: Hand | undefined;
    for (const hand of this.#hands) {
      if (hand.pending.size < (best?.pending.size ?? QUEUE_MAX)) best = hand;
    }
    const isFull = this.#hands.length >= this.#threads || this.#isClosed;
    return best?.pending.size === 0 || isFull ? best : this.#another();
  }

  #another(): Hand {
    const hand = new Hand((dead) => this.#bury(dead));
    this.#hands.push(hand);
    return hand;
  }

  #bury(dead: Hand): void {
    const at = this.#hands.indexOf(dead);
    if (this.#isClosed || at < 0) return;
    this.#hands.splice(at, 1);
    for (const resolve of dead.pending.values()) resolve(brokenDigest('the parser thread died'));
  }
}
