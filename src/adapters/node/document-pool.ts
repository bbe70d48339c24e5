/**
 * The `ParserPool` port for documents that are not HTML (X2): each is read on a thread that can be
 * ended, one at a time, under a limit of time and one of memory.
 *
 *   HTML and sitemaps ──▶ the pool beside it (inline, sliced or worker threads)
 *   everything else   ──▶ a thread of its own, also on a machine with one core
 *
 * The thread is started with the first document and ended when none has come for a while. A plugin
 * that throws, hangs, eats memory or ends its thread costs its page's links; the page is kept with
 * the reason, and the next document gets a new thread.
 */
import { type Digest, mayBeDocument, type RawPage, unreadDigest } from '../../content/index.ts';
import type { ParserPool } from '../../ports/parser-pool.ts';
import { type DocumentLimits, DocumentThread } from './document-thread.ts';

export interface DocumentPoolOptions extends DocumentLimits {
  /** At most so many documents at a time. */
  readonly threads: number;
  /** A thread with nothing to do is ended after this. */
  readonly idleMs?: number;
}

const IDLE_MS = 5_000;

interface Job {
  readonly page: RawPage;
  readonly resolve: (digest: Digest) => void;
}

export function documentPool(inner: ParserPool, options: DocumentPoolOptions): ParserPool {
  const documents = new Documents(options);
  return {
    digest: (page) => (mayBeDocument(page) ? documents.read(page) : inner.digest(page)),
    close: async () => {
      await Promise.all([documents.close(), inner.close()]);
    },
  };
}

class Documents {
  readonly #options: DocumentPoolOptions;
  readonly #waiting: Job[] = [];
  readonly #threads = new Map<DocumentThread, NodeJS.Timeout | undefined>();
  #isClosed = false;

  constructor(options: DocumentPoolOptions) {
    this.#options = options;
  }

  read(page: RawPage): Promise<Digest> {
    return new Promise((resolve) => {
      this.#waiting.push({ page, resolve });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { page, resolve } of this.#waiting.splice(0)) {
      resolve(unreadDigest(page, 'the crawl ended before it was read'));
    }
    for (const timer of this.#threads.values()) clearTimeout(timer);
    await Promise.all([...this.#threads.keys()].map((thread) => thread.end()));
  }

  #next(): void {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const thread = this.#free();
      if (thread === undefined) return;
      const job = this.#waiting.shift() as Job;
      clearTimeout(this.#threads.get(thread));
      this.#threads.set(thread, undefined);
      void thread.read(job.page).then((made) => this.#finish(thread, job, made));
    }
  }

  #free(): DocumentThread | undefined {
    for (const thread of this.#threads.keys()) if (!thread.isBusy && !thread.isDead) return thread;
    if (this.#threads.size >= this.#options.threads) return undefined;
    const thread = new DocumentThread(this.#options);
    this.#threads.set(thread, undefined);
    return thread;
  }

  #finish(thread: DocumentThread, { page, resolve }: Job, made: Digest | string): void {
    resolve(typeof made === 'string' ? unreadDigest(page, made) : made);
    if (thread.isDead) void thread.gone.then(() => this.#forget(thread));
    else this.#threads.set(thread, this.#endLater(thread));
    this.#next();
  }

  /** Its place is free when it is gone, not before: until then its memory is not. */
  #forget(thread: DocumentThread): void {
    this.#threads.delete(thread);
    this.#next();
  }

  #endLater(thread: DocumentThread): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#threads.delete(thread);
      void thread.end();
    }, this.#options.idleMs ?? IDLE_MS);
    return timer.unref();
  }
}
