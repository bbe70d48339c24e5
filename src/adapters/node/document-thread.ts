/**
 * One thread that reads one document at a time, and is ended when that takes too long or too much.
 *
 * While a document is read the memory of the process is looked at: what it grows by beyond the
 * limit, apart from the main thread's own, is the document's, in the thread's heap or beside it.
 * V8's own limit for a thread's heap is set far above: met in the middle of collecting garbage, it
 * ends the whole process.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Digest, RawPage } from '../../content/index.ts';

export interface DocumentLimits {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** Modules of plugins, as URLs. */
  readonly plugins: readonly string[];
}

const MB = 1024 * 1024;
/** Loading the modules is not the document's fault. */
const START_MS = 30_000;
const LOOK_EVERY_MS = 25;
/** Other threads grow, too. */
const OTHERS_BYTES = 128 * MB;
/** What a thread could take between two looks, and a main thread that is late for one. */
const [FAR_TIMES, FAR_MB] = [4, 1_024];
/** Of new objects, no more than this comes into the old heap at once. */
const YOUNG_MB = 16;

interface Answer {
  readonly isReady?: true;
  /** The plugin whose turn it is. */
  readonly plugin?: string;
  readonly digest?: Digest;
  readonly error?: string;
}

export class DocumentThread {
  readonly #limits: DocumentLimits;
  readonly #worker: Worker;
  #finish: ((made: Digest | string) => void) | undefined;
  #plugin = '';
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  isDead = false;
  /** Resolves when the thread is no more: V8 cannot stop in the middle of everything. */
  readonly gone: Promise<void>;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
    const file = import.meta.url.endsWith('.ts') ? './digest-worker.ts' : './digest-worker.js';
    this.#worker = new Worker(new URL(file, import.meta.url), {
      workerData: { plugins: limits.plugins },
      resourceLimits: heapLimits(limits),
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => this.#hear(answer));
    this.#worker.on('error', (error) => this.#fail(reasonOf(error, limits)));
    this.gone = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail('it ended its thread');
        resolve();
      });
    });
  }

  get isBusy(): boolean {
    return this.#finish !== undefined;
  }

  /** A digest, or why there is none; then the thread is dead. */
  read(page: RawPage): Promise<Digest | string> {
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#plugin = '';
      if (this.#isReady) this.#begin();
      else this.#startClock(START_MS);
      // A copy: should the thread be ended, the page is still here.
      const body = new Uint8Array(page.body);
      this.#worker.postMessage({ id: 0, page: { ...page, body } }, [body.buffer]);
    });
  }

  async end(): Promise<void> {
    this.isDead = true;
    this.#fail('the crawl ended');
    await this.#worker.terminate();
  }

  #hear(answer: Answer): void {
    if (answer.isReady) {
      this.#isReady = true;
      if (this.isBusy) this.#begin();
    } else if (answer.plugin !== undefined) this.#plugin = answer.plugin;
    else this.#done(answer.digest ?? `document: ${answer.error ?? 'the thread gave no answer'}`);
  }

  /** From here on time and memory are the document's. */
  #begin(): void {
    this.#startClock(0);
    this.#watch = this.#watchMemory();
  }

  #startClock(moreMs: number): void {
    clearTimeout(this.#timer);
    const { timeoutMs } = this.#limits;
    const reason = `not done in ${timeoutMs / 1000} s`;
    this.#timer = setTimeout(() => this.#fail(reason), timeoutMs + moreMs);
  }

  #watchMemory(): NodeJS.Timeout {
    const { memoryBytes } = this.#limits;
    const before = foreignBytes();
    return setInterval(() => {
      if (foreignBytes() - before > memoryBytes + OTHERS_BYTES) this.#fail(tooMuch(memoryBytes));
    }, LOOK_EVERY_MS);
  }

  #fail(reason: string): void {
    this.isDead = true;
    const name = this.#plugin === '' ? 'document' : this.#plugin;
    if (this.isBusy) void this.#worker.terminate();
    this.#done(`${name}: ${reason}`);
  }

  #done(made: Digest | string): void {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.(made);
  }
}

/** What the process holds beside the main thread's own. */
function foreignBytes(): number {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}

function heapLimits({ memoryBytes }: DocumentLimits): ResourceLimits {
  const old = FAR_TIMES * Math.ceil(memoryBytes / MB) + FAR_MB;
  return { maxOldGenerationSizeMb: old, maxYoungGenerationSizeMb: YOUNG_MB };
}

function reasonOf(error: Error, { memoryBytes }: DocumentLimits): string {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? tooMuch(memoryBytes) : error.message;
}

function tooMuch(memoryBytes: number): string {
  return `needed more than ${Math.ceil(memoryBytes / MB)} MB of memory`;
}
