/**
 * The filter of one arc in Redis: asks in pieces, learns its state from every answer, and tells
 * again what may not have arrived.
 */
import { randomUUID } from 'node:crypto';
import { URL_KEY_BYTES } from '../../record/index.ts';
import type { RedisConnection, Reply, Word } from './connection.ts';
import type { RecentKeys } from './recent-keys.ts';
import { blockOf, rateOf, type SeenPlan, sampleBlocks, writeProbes } from './seen-plan.ts';
import { CHECK_AND_ADD, COUNT_BITS, SEAL } from './seen-script.ts';

export interface ArcState {
  readonly birth: string;
  readonly isComplete: boolean;
  readonly generations: number;
  readonly keys: number;
  readonly newest: number;
}

/** As in seen-script.ts. */
type AskMode = '' | 'begin' | 'torn';

interface Learned {
  readonly done: string;
  readonly isComplete: boolean;
}

/** A script is alone in the server while it runs: 10 ms, not 100. */
const KEYS_PER_SCRIPT = 1_024;
/** Blocks of a generation whose bits are counted to know its fill. */
const SAMPLE_BLOCKS = 64;
/** The fill is looked at again when the newest generation has grown by this part of its room. */
const GROWTH_PER_COUNT = 0.1;

export class SeenArc {
  readonly arc: number;
  readonly #connection: RedisConnection;
  readonly #plan: SeenPlan;
  readonly #recent: RecentKeys;
  readonly #prefix: string;
  /** Undefined before the first answer. */
  state: ArcState | undefined;
  rate = 0;
  #countedAt = 0;
  /** Keys asked for from this place on may not have arrived. */
  #missedFrom: number | undefined;

  constructor(
    arc: number,
    connection: RedisConnection,
    plan: SeenPlan,
    recent: RecentKeys,
    prefix: string,
  ) {
    this.arc = arc;
    this.#connection = connection;
    this.#plan = plan;
    this.#recent = recent;
    // Other sizes are another filter: nodes that disagree about settings share no bits.
    this.#prefix = `${prefix}{${arc}}:seen:${plan.expectedKeys}:${plan.target}`;
  }

  get bytes(): number {
    const planned = this.#plan.first(this.state?.generations ?? 1);
    return planned.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Is there a filter, and is it complete? Where there is none it begins, complete if it may. */
  async look(mayBegin: boolean): Promise<void> {
    await this.#askSome([], mayBegin ? 'begin' : '');
  }

  /**
   * Adds the keys, which stand at `place` and after it among the recent ones, and before them
   * all that may have been missed; 1 for 'maybe'.
   */
  async ask(keys: readonly Buffer[], place = this.#recent.end): Promise<Uint8Array> {
    const from = this.#missedFrom;
    if (from === undefined) return this.#askAll(keys, '');
    const isTorn = this.#recent.start > from;
    const missed = this.#recent.of(this.arc, from, place);
    this.#missedFrom = undefined;
    try {
      const answers = await this.#askAll([...missed, ...keys], isTorn ? 'torn' : '');
      return answers.subarray(missed.length);
    } catch (error) {
      this.missed(from);
      throw error;
    }
  }

  get isBehind(): boolean {
    return this.#missedFrom !== undefined;
  }

  /** Keys of this arc at `place` and after it may not have been added. */
  missed(place: number): void {
    this.#missedFrom = Math.min(this.#missedFrom ?? place, place);
  }

  /** Complete from now on, unless it was lost again since `birth`. */
  async seal(birth: string): Promise<boolean> {
    const isSealed = (await this.#connection.run(SEAL, [this.#stateKey()], [birth])) === 1;
    if (isSealed && this.state?.birth === birth) this.state = { ...this.state, isComplete: true };
    return isSealed;
  }

  /** Looks at its fill when it has grown by enough (S3). */
  async measure(): Promise<void> {
    const { generations = 1, keys = 0, newest = 0 } = this.state ?? {};
    const room = this.#plan.generation(generations - 1).capacity;
    if (newest === 0 || keys - this.#countedAt < room * GROWTH_PER_COUNT) return;
    this.#countedAt = keys;
    const planned = this.#plan.first(generations);
    const places = planned.flatMap(({ blocks }) => sampleBlocks(blocks, SAMPLE_BLOCKS).flat());
    const bitmaps = planned.map((_, i) => this.#bitmapKey(i));
    const counts = await this.#connection.run(COUNT_BITS, bitmaps, [`${SAMPLE_BLOCKS}`, ...places]);
    const rates = planned.map(({ probes }, i) => {
      const own = (counts as number[]).slice(i * SAMPLE_BLOCKS, (i + 1) * SAMPLE_BLOCKS);
      return rateOf(own, probes);
    });
    this.rate = 1 - rates.reduce((pass, rate) => pass * (1 - rate), 1);
  }

  async #askAll(keys: readonly Buffer[], mode: AskMode): Promise<Uint8Array> {
    const answers = new Uint8Array(keys.length).fill(1);
    let next = mode;
    for (let at = 0; at < keys.length || next !== ''; next = '') {
      const { done, isComplete } = await this.#askSome(keys.slice(at, at + KEYS_PER_SCRIPT), next);
      for (let i = 0; isComplete && i < done.length; i++) answers[at + i] = done.charCodeAt(i) - 48;
      at += done.length;
    }
    return answers;
  }

  /** `done` has a digit for each key that was added, the first ones of them. */
  async #askSome(keys: readonly Buffer[], mode: AskMode): Promise<Learned> {
    const generations = this.#generationsFor(keys.length);
    const words = this.#wordsOf(keys, mode, generations);
    const bitmaps = Array.from({ length: generations }, (_, i) => this.#bitmapKey(i));
    const scriptKeys = [this.#stateKey(), ...bitmaps];
    return this.#learn(await this.#connection.run(CHECK_AND_ADD, scriptKeys, words));
  }

  /** Those that are there, and the next one when these keys may need it. */
  #generationsFor(more: number): number {
    if (this.state === undefined) return 1;
    const { generations, newest } = this.state;
    const { capacity } = this.#plan.generation(generations - 1);
    return newest + more >= capacity ? generations + 1 : generations;
  }

  #wordsOf(keys: readonly Buffer[], mode: AskMode, generations: number): Word[] {
    const planned = this.#plan.first(generations);
    const perKey = Math.max(...planned.map(({ probes }) => probes));
    const probes = Buffer.allocUnsafe(keys.length * perKey * 2);
    const words: Word[] = [randomUUID(), mode, probes, `${perKey}`];
    for (const one of planned) words.push(`${one.capacity}`, `${one.bytes}`, `${one.probes}`);
    for (const [i, key] of keys.entries()) {
      assertKey(key);
      writeProbes(key, 0, perKey, probes, i * perKey * 2);
      for (const { blocks } of planned) words.push(...blockOf(key, 0, blocks));
    }
    return words;
  }

  #learn(reply: Reply): Learned {
    const [birth, complete, generations, keys, newest, done] = reply as readonly [
      ...[birth: string, complete: number, generations: number],
      ...[keys: number, newest: number, done: string],
    ];
    const before = this.state;
    this.state = { birth, isComplete: complete === 1, generations, keys, newest };
    // It lost what it knew: what was asked a moment ago may not be in the store yet either.
    if (before !== undefined && before.birth !== birth) {
      this.#countedAt = 0;
      this.missed(this.#recent.start);
    }
    return { done, isComplete: complete === 1 };
  }

  #stateKey(): string {
    return this.#prefix;
  }

  #bitmapKey(generation: number): string {
    return `${this.#prefix}:${generation}`;
  }
}

function assertKey(key: Buffer): void {
  if (key.length !== URL_KEY_BYTES) throw new RangeError(`a url key has ${URL_KEY_BYTES} bytes`);
}
