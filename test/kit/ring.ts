/**
 * A ring of `orb ring` processes, each at a loopback address of its own and behind a relay that
 * can be cut (ring-lines.ts).
 *
 *   127.0.0.1  orb ring start          127.0.0.2 … 127.0.0.N  orb ring join 127.0.0.1:PORT
 *
 * A node that is killed is gone for good: whoever joins at its address has a new folder and a new
 * key. What nodes have counted is asked for as they live, so that a killed one's is not lost.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { ringPathsOf } from '../../src/adapters/folder/ring-folder.ts';
import type { RING } from '../../src/edge/api/ring-view.ts';
import { placeOf } from '../../src/ring/index.ts';
import { privateJwkText, SEED_BYTES, SignKey } from '../../src/sign/index.ts';
import { startOrb } from './orb.ts';
import { type Cleanup, scratch } from './place.ts';
import { Scrape } from './prometheus.ts';
import { type Relay, RingLines, straightTo } from './ring-lines.ts';
import { type ServingNode, servingNode, tail } from './serving.ts';

export const ARCS = 64;
/** What `GET /ring` answers: the ring as one node finds it. */
export type RingSeen = Static<typeof RING>;

const CONTACTS = 3;
const JOIN_TRIES = 5;
const ASK_MS = 3_000;
const NEAR = 4;

export interface RingPlan {
  readonly nodes: number;
  /** For every node: the web, pace, limits. */
  readonly flags: readonly string[];
  /** Without relays, where nothing is to be cut. */
  readonly isDirect?: boolean;
  /** Besides, for the first, second, third life of a node. */
  readonly livesOf?: ((nth: number) => RingLife) | undefined;
}

export interface RingLife {
  /** Where it stands on the circle: the first byte of its place, within a few. */
  readonly place?: number;
  readonly flags?: readonly string[];
}

export interface RingNode extends ServingNode {
  readonly host: string;
  /** Where the others find it. */
  readonly announce: string;
}

export class TestRing {
  readonly lines = new RingLines();
  /** Those that are meant to run, stopped ones too. */
  nodes: RingNode[] = [];
  /** What each life of a node has counted, as it said last. */
  readonly #counted = new Map<number, Scrape>();
  readonly #hosts = new Set<string>();
  readonly #relays = new Map<string, Relay>();
  /** What every life of a node says; ORB_RING_LOGS names a folder to keep it in. */
  readonly #said = new Map<string, { readonly stderr: string }>();
  readonly #dir: string;
  readonly #plan: RingPlan;
  #lives = 0;

  private constructor(dir: string, plan: RingPlan) {
    this.#dir = dir;
    this.#plan = plan;
  }

  /** So many nodes it has when all is well. */
  get size(): number {
    return this.#plan.nodes;
  }

  static async open(t: Cleanup, plan: RingPlan): Promise<TestRing> {
    const ends: (() => unknown)[] = [];
    const ring = new TestRing(await scratch({ after: (end) => void ends.push(end) }), plan);
    // Folders go when nobody writes into them any more.
    t.after(async () => {
      await ring.#close();
      for (const end of ends) await end();
    });
    const secret = randomBytes(32).toString('base64url');
    await writeFile(ring.#secretFile, secret, { mode: 0o600 });
    await ring.#begin(ring.#takeHost(), ['ring', 'start']);
    while (ring.nodes.length < plan.nodes) await ring.join();
    return ring;
  }

  /** A node with a folder and a key of its own; one that nobody lets in tries again, as people do. */
  async join(): Promise<RingNode> {
    const host = this.#takeHost();
    for (let tries = 1; ; tries++) {
      const contacts = this.nodes.slice(-CONTACTS).map(({ announce }) => announce);
      try {
        return await this.#begin(host, ['ring', 'join', ...contacts]);
      } catch (error) {
        if (tries < JOIN_TRIES) continue;
        this.#hosts.delete(host);
        throw error;
      }
    }
  }

  /** At once, and for good. */
  async kill(node: RingNode): Promise<void> {
    await this.#look(node);
    this.#forget(node);
    node.kill('SIGKILL');
    await node.ended;
    this.#relays.get(node.host)?.close();
    this.#relays.delete(node.host);
    this.#hosts.delete(node.host);
  }

  /** Asks all nodes for what they have counted so far. */
  async watch(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.#look(node)));
  }

  /** A number of /metrics, over every life of every node, up to when it was asked last. */
  counted(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const scrapes = [...this.#counted.values()];
    return scrapes.reduce((sum, scrape) => sum + scrape.value(name, labels), 0);
  }

  /** The ring as one of its nodes finds it. */
  async seen(by: RingNode = this.nodes[0] as RingNode): Promise<RingSeen> {
    return by.ask('/ring');
  }

  /** A node that ended by itself has failed. */
  assertAlive(): void {
    const dead = this.nodes.find(({ isOver }) => isOver);
    assert.equal(dead, undefined, `${dead?.host} has ended by itself: ${tail(dead?.stderr)}`);
  }

  get #secretFile(): string {
    return join(this.#dir, 'secret');
  }

  #takeHost(): string {
    let n = 1;
    while (this.#hosts.has(`127.0.0.${n}`)) n++;
    this.#hosts.add(`127.0.0.${n}`);
    return `127.0.0.${n}`;
  }

  async #begin(host: string, words: readonly string[]): Promise<RingNode> {
    const relay = await (this.#plan.isDirect ? straightTo(host) : this.lines.relay(host));
    this.#relays.set(host, relay);
    const dir = join(this.#dir, `n${++this.#lives}`);
    await mkdir(dir);
    const { place, flags = [] } = this.#plan.livesOf?.(this.#lives) ?? {};
    if (place !== undefined) await writeFile(ringPathsOf(dir).key, keyNear(place), { mode: 0o600 });
    const own = ['--dir', dir, '--listen', relay.listen, '--announce', relay.announce];
    const usual = ['--secret-file', this.#secretFile, '--port', '0', ...this.#plan.flags];
    const run = startOrb({ after: () => undefined }, [...words, ...own, ...usual, ...flags]);
    this.#said.set(`${host}-${run.pid}.log`, run);
    this.lines.settle(host, run.pid);
    try {
      const node = Object.assign(await servingNode(run), { host, announce: relay.announce });
      this.nodes.push(node);
      return node;
    } catch (error) {
      run.kill('SIGKILL');
      relay.close();
      this.#relays.delete(host);
      throw error;
    }
  }

  async #look({ at, pid }: RingNode): Promise<void> {
    try {
      const answer = await fetch(`${at}/metrics`, { signal: AbortSignal.timeout(ASK_MS) });
      this.#counted.set(pid, new Scrape(await answer.text()));
    } catch {
      // Killed or stopped: it says nothing.
    }
  }

  #forget(node: RingNode): void {
    this.nodes = this.nodes.filter((one) => one !== node);
  }

  async #close(): Promise<void> {
    for (const node of this.nodes) if (!node.isOver) node.kill('SIGKILL');
    await Promise.all(this.nodes.map(({ ended }) => ended));
    for (const relay of this.#relays.values()) relay.close();
    const keep = process.env.ORB_RING_LOGS;
    if (keep === undefined) return;
    for (const [name, { stderr }] of this.#said) await writeFile(join(keep, name), stderr);
  }
}

/** The file of a key whose place begins with this byte, or a little before. */
function keyNear(first: number): string {
  for (;;) {
    const seed = randomBytes(SEED_BYTES);
    const place = placeOf(Buffer.from(new SignKey(seed).publicJwk.x, 'base64url'));
    const before = first - Number.parseInt(place.slice(0, 2), 16);
    if (before >= 0 && before < NEAR) return privateJwkText(seed);
  }
}
