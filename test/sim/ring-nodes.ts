/**
 * A ring that crawls, in virtual time: nodes as they are, each with a disk of its own
 * (memory-disk.ts), the network between them in memory (ring-peers.ts), on a web that logs what it is asked. Nodes
 * join, leave, crash and are stopped; watchers know what must never happen.
 *
 *   ring-node-parts.ts   one node, composed       ring-nodes-verdict.ts   what the watchers saw
 */
import { NO_TOTALS, type Totals } from '../../src/ports/shard-store.ts';
import { hostKeyOf } from '../../src/record/index.ts';
import { ARCS, arcOf, hostOf } from '../../src/url/index.ts';
import { type Web, webHttp } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';
import { type MemoryDisk, memoryDisk } from './memory-disk.ts';
import { openRingNode, type SimRingNode } from './ring-node-parts.ts';
import { PeerNet } from './ring-peers.ts';

const LOOK_MS = 2_000;
/** The longest request, and a tick. */
const UNTOLD_MS = 4_000;

/** What is done wrong, to see that the watchers notice. */
export type RingPlanted = 'endless terms' | 'no address turns';

export class RingNodes {
  readonly clock = new VirtualClock();
  readonly web: Web;
  readonly http: ReturnType<typeof webHttp>;
  readonly net = new PeerNet(this.clock);
  readonly complaints: string[] = [];
  readonly seeds: readonly string[];
  readonly planted: RingPlanted | undefined;
  /** Told when a node begins to connect: the worst moment. */
  onConnect: ((name: string, isBorrowed: boolean) => void) | undefined;
  /** Requests that a fault caught under way: so many pages may be asked for twice. */
  caught = 0;
  nodes: SimRingNode[] = [];
  #joined = 0;
  /** When each node sent its requests. */
  readonly #sent = new Map<string, number[]>();

  /** Requests that a node may have under way; as its settings say, unless told. */
  readonly handsOf: (name: string) => number | undefined;

  constructor(web: Web, planted?: RingPlanted, handsOf: RingNodes['handsOf'] = () => undefined) {
    this.web = web;
    this.planted = planted;
    this.handsOf = handsOf;
    this.seeds = [web.urlOf(0, 0)];
    this.http = webHttp(web, this.clock, { latencyMs: (name) => 150 + 70 * (name.length % 8) });
  }

  get alive(): SimRingNode[] {
    return this.nodes.filter(({ process }) => !process.isDead && !process.isStopped);
  }

  pass(ms: number): Promise<void> {
    return this.clock.sleepUntil(this.clock.now() + ms);
  }

  // ---- what happens to nodes ------------------------------------------------------------

  /** The first begins the ring. */
  async join(): Promise<SimRingNode> {
    return this.#open(`node-${++this.#joined}`, memoryDisk());
  }

  async #open(name: string, disk: MemoryDisk): Promise<SimRingNode> {
    const via = this.alive.map(({ ring }) => ring.me.at);
    const one = await openRingNode(this, name, disk, via);
    this.nodes.push(one);
    void this.#follow(one);
    return one;
  }

  /** In good order: its arcs go to others, then it goes. */
  async leave(one: SimRingNode): Promise<void> {
    one.node.worker.drain();
    await one.ended;
    if (!(await one.ring.leave())) await one.ring.close();
    one.process.kill();
    this.nodes = this.nodes.filter((node) => node !== one);
  }

  crash(one: SimRingNode): void {
    this.#catch(one);
    one.process.kill();
    this.nodes = this.nodes.filter((node) => node !== one);
  }

  /** The same node again, with what is on its disk. */
  restart({ name, disk }: SimRingNode): Promise<SimRingNode> {
    return this.#open(name, disk);
  }

  /** Stopped in the middle of what it does. */
  async stop(one: SimRingNode, ms: number): Promise<void> {
    this.#catch(one);
    one.process.stop();
    await this.pass(ms);
    one.process.goOn();
  }

  /** Also what it has settled and not told its seats: progress goes with the next tick (D5). */
  #catch({ name }: SimRingNode): void {
    const since = this.clock.now() - UNTOLD_MS;
    this.caught += (this.#sent.get(name) ?? []).filter((at) => at >= since).length;
  }

  /** What others have said about jobs, now and then (compose-ring.ts does the same). */
  async #follow(one: SimRingNode): Promise<void> {
    while (this.nodes.includes(one)) {
      await this.pass(LOOK_MS);
      if (!one.process.isStopped) await one.node.jobs?.shared?.look().catch(() => undefined);
    }
  }

  // ---- watchers -------------------------------------------------------------------------

  /** Right when a request goes out: may anybody else act for its arc, but for who lent it? */
  watchSend(name: string, url: string, isBorrowed = false): void {
    this.#sent.set(name, [...(this.#sent.get(name) ?? []), this.clock.now()]);
    const arc = arcOf(hostKeyOf(hostOf(url)));
    const rivals = this.nodes.filter((one) => one.name !== name && one.node.arcs?.mayAct(arc));
    if (rivals.length > (isBorrowed ? 1 : 0)) {
      this.complaints.push(`${name} asks ${url}, and ${rivals.map((r) => r.name)} may act`);
    }
  }

  // ---- until nothing is left to do ------------------------------------------------------

  async finish(limitMs = 3_600_000): Promise<void> {
    const until = this.clock.now() + limitMs;
    for (let quiet = 0; quiet < 3; ) {
      await this.pass(5_000);
      quiet = (await this.#isQuiet()) ? quiet + 1 : 0;
      if (this.clock.now() > until) {
        this.complaints.push(`not finished after ${limitMs / 1_000} s: ${await this.state()}`);
        return;
      }
    }
  }

  async #isQuiet(): Promise<boolean> {
    const owned = this.nodes.flatMap(({ ring }) => ownedBy(ring));
    if (new Set(owned).size < ARCS) return false;
    for (const { node, inbox, ring } of this.nodes) {
      if (node.worker.openVisits + node.settling.pending > 0) return false;
      for (const arc of ownedBy(ring)) if ((await inbox.count(arc, 1)) > 0) return false;
    }
    const { waiting, retrying } = await this.totals();
    return waiting + retrying === 0;
  }

  /** A commit is counted in any of its arcs: only the sum means something. */
  async totals(): Promise<Totals> {
    const sum: Record<string, number> = { ...NO_TOTALS };
    for (const { store } of this.nodes) {
      for (const [name, count] of Object.entries(await store.totals())) {
        sum[name] = (sum[name] ?? 0) + count;
      }
    }
    return sum as unknown as Totals;
  }

  async state(): Promise<string> {
    const { known, waiting, retrying, fetched } = await this.totals();
    const arcs = this.nodes.map(({ name, node, ring }) => {
      return `${name} ${node.arcs?.arcs.length}/${ownedBy(ring).length}`;
    });
    return `${arcs.join(', ')}: ${known} known, ${waiting} + ${retrying} wait, ${fetched} fetched`;
  }

  /** Nobody goes on. */
  end(): void {
    for (const { process } of this.nodes) process.kill();
    this.nodes = [];
  }
}

export function ownedBy(ring: { epochOf(arc: number): number | undefined }): number[] {
  return Array.from({ length: ARCS }, (_, arc) => arc).filter((arc) => ring.epochOf(arc));
}
