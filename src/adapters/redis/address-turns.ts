/**
 * Turns at addresses that nodes share, in Redis or Valkey (P4, K2): one round trip for a claim; that
 * the request is over is said without waiting. address-script.ts is what the server does.
 *
 * A server that is away gives no turns, and does not stop the crawl: whoever claims is told, and
 * decides alone (../../crawl/neighbours.ts).
 */
import type { Instant } from '../../base/instant.ts';
import {
  type AddressTurns,
  COME_BACK_SHARE,
  type Turn,
  type TurnAnswer,
  type TurnTerms,
} from '../../ports/address-turns.ts';
import type { Clock } from '../../ports/clock.ts';
import { CLAIM, LOOK, REST } from './address-script.ts';
import type { RedisConnection } from './connection.ts';
import { Health } from './health.ts';

export interface RedisTurnsOptions {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  /** Before all keys: nodes with the same one share. */
  readonly prefix: string;
  /** Of this process and no other, ever. */
  readonly node: string;
  /** How long a claim may take to become a request: no turns for so long after memory was lost. */
  readonly forgetMs: number;
  /** Nothing was ever asked in this crawl: there is nothing that could have been forgotten. */
  readonly isNew?: boolean;
  readonly notice?: (text: string) => void;
}

const WORDS = {
  what: 'the table of addresses in Redis',
  meanwhile: 'hosts of several nodes behind one address are asked as seldom as each node can tell',
};
/** Keys of one script are on one server of a cluster. */
const TAGS = 32;

export class RedisAddressTurns implements AddressTurns {
  readonly #options: RedisTurnsOptions;
  readonly #health: Health;
  readonly #held = new Map<string, { readonly turn: Turn; readonly until: Instant }>();
  #claims = 0;
  #reminding: Promise<unknown> | undefined;

  private constructor(options: RedisTurnsOptions) {
    this.#options = options;
    this.#health = new Health(options.clock, WORDS, options.notice);
  }

  static async open(options: RedisTurnsOptions): Promise<RedisAddressTurns> {
    const turns = new RedisAddressTurns(options);
    await turns.#health.tried(() => turns.#look(options.isNew ? 'begin' : ''));
    return turns;
  }

  async claim(address: string, { holdMs, pauseMs }: TurnTerms): Promise<TurnAnswer> {
    const { connection, clock, node, forgetMs } = this.#options;
    const turn = { address, id: `${++this.#claims}` };
    const held = { turn, until: clock.now() + holdMs };
    const { keyOf, run, blank } = this.#keysFor(address);
    const terms = [holdMs, pauseMs, pauseMs * COME_BACK_SHARE, forgetMs].map(whole);
    const said = await this.#health.tried(() =>
      connection.run(CLAIM, [keyOf('turn'), keyOf('next'), run, blank], [node, turn.id, ...terms]),
    );
    if (said === undefined) return { kind: 'away', turn };
    if (said === 0) {
      this.#held.set(turn.id, held);
      return { kind: 'yours', turn };
    }
    const waitMs = Number(said);
    if (waitMs < 0) await this.#remind();
    return { kind: 'wait', waitMs: Math.abs(waitMs) };
  }

  /** Said also while claims fail: a claim that came too late for us is taken back so. */
  async rest({ address, id }: Turn, restMs: number, isLost = false): Promise<void> {
    const { connection, node } = this.#options;
    this.#held.delete(id);
    const { keyOf } = this.#keysFor(address);
    await connection
      .run(REST, [keyOf('turn')], [node, id, whole(Math.max(0, restMs)), isLost ? '' : node])
      .catch(() => undefined);
  }

  /** The server's memory is new: every part of it hears of that now, and what this node holds. */
  #remind(): Promise<unknown> {
    this.#reminding ??= this.#health
      .tried(async () => {
        await Promise.all([this.#look(''), ...[...this.#held.values()].map(this.#hold)]);
      })
      .finally(() => {
        this.#reminding = undefined;
      });
    return this.#reminding;
  }

  #hold = async ({ turn, until }: { turn: Turn; until: Instant }): Promise<void> => {
    const { connection, clock, node } = this.#options;
    const leftMs = until - clock.now();
    if (leftMs <= 0) return;
    const key = this.#keysFor(turn.address).keyOf('turn');
    await connection.send(key, ['SET', key, `h ${node} ${turn.id}`, 'NX', 'PX', whole(leftMs)]);
  };

  async #look(mode: 'begin' | ''): Promise<void> {
    const { connection, forgetMs } = this.#options;
    const tags = Array.from({ length: TAGS }, (_, tag) => this.#keysOf(tag));
    await Promise.all(
      tags.map(({ run, blank }) => connection.run(LOOK, [run, blank], [whole(forgetMs), mode])),
    );
  }

  #keysFor(address: string) {
    const { start, ...keys } = this.#keysOf(tagOf(address));
    return { ...keys, keyOf: (what: 'turn' | 'next') => `${start}${what}:${address}` };
  }

  #keysOf(tag: number) {
    const start = `${this.#options.prefix}address:{${tag}}:`;
    return { start, run: `${start}run`, blank: `${start}blank` };
  }
}

/** Redis wants whole milliseconds, and more than none. */
function whole(ms: number): string {
  return `${Math.ceil(ms)}`;
}

function tagOf(address: string): number {
  let sum = 0;
  for (let at = 0; at < address.length; at++) sum = (31 * sum + address.charCodeAt(at)) >>> 0;
  return sum % TAGS;
}
