/**
 * The promises of the `ArcGroup` port, proved of any adapter.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mention } from '../events/index.ts';
import { NO_BYTES, urlKeyOf } from '../record/index.ts';
import { isPart, overlap, quarterOf, withPartsOf } from '../url/index.ts';
import type { ArcGroup } from './arc-group.ts';

export interface ArcGroupCase {
  /** Another node of the same group. */
  connect(): Promise<ArcGroup<Mention>>;
  /** Leaves something in the way that no node of ours has sent. */
  litter?(): Promise<void>;
  /** It splits nothing, and assigns whole arcs only. */
  readonly keepsWhole?: boolean;
}

/** Whoever waits for something to happen to any node. */
const waiting: (() => void)[] = [];

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((wake) => waiting.push(wake));
}

function tell(): void {
  for (const wake of waiting.splice(0)) wake();
}

/** A node that follows whatever it is assigned, and notes what arrives, each once. */
class Node {
  readonly group: ArcGroup<Mention>;
  readonly got: Set<string>;
  arcs: readonly number[] = [];
  isFailing = false;
  /** Nothing is split, unless a test says so. */
  isThere = (arc: number) => !isPart(arc);

  constructor(group: ArcGroup<Mention>, got: Set<string>) {
    this.group = group;
    this.got = got;
  }

  static async join(group: ArcGroup<Mention>, got = new Set<string>()): Promise<Node> {
    const node = new Node(group, got);
    await group.open({
      assigned(arcs) {
        node.arcs = arcs;
        group.follow(arcs.filter((arc) => node.isThere(arc)));
        tell();
      },
      async arrived(arc, mentions) {
        for (const { url } of mentions) assert.ok(overlap(quarterOf(urlKeyOf(url)), arc));
        if (node.isFailing) throw new Error('it is not durable');
        for (const { url } of mentions) node.got.add(url);
        tell();
      },
    });
    return node;
  }
}

const HOSTS = 40;

function mention(nth: number): Mention {
  const url = `https://host-${nth % HOSTS}.test/${nth}`;
  const places = { depth: nth, hops: 0, outside: 0, parent: NO_BYTES };
  return { url, kind: 'page', priority: 0.5, ...places };
}

function mentions(from: number, end: number): Mention[] {
  return Array.from({ length: end - from }, (_, i) => mention(from + i));
}

function byHost(urls: readonly string[]): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const url of urls) {
    const { host } = new URL(url);
    hosts.set(host, [...(hosts.get(host) ?? []), url]);
  }
  return hosts;
}

function sorted(arcs: Iterable<number>): number[] {
  return [...arcs].sort((a, b) => a - b);
}

const WHOLE = Array.from({ length: 64 }, (_, arc) => arc);
const WITH_PARTS = WHOLE.flatMap(withPartsOf);
/** What is assigned, all in all. */
let all: readonly number[] = WITH_PARTS;

export function arcGroupContract(name: string, begin: () => Promise<ArcGroupCase>): void {
  const open = async () => {
    const made = await begin();
    all = made.keepsWhole ? WHOLE : WITH_PARTS;
    return made;
  };
  describe(`${name} arc-group`, () => {
    it('promise 1: nodes come and go: at rest each arc is assigned to one', async () => {
      const { connect } = await open();
      const nodes: Node[] = [];
      for (const size of [1, 2, 3]) {
        nodes.push(await Node.join(await connect()));
        await until(() => isShared(nodes, size));
      }
      await nodes.pop()?.group.close();
      await until(() => isShared(nodes, 2));
      await Promise.all(nodes.map((node) => node.group.close()));
    });

    it('promise 2: what is handed arrives where it is followed, each host in order', async () => {
      const { connect } = await open();
      const got = new Set<string>();
      const one = await Node.join(await connect(), got);
      const two = await Node.join(await connect(), got);
      await until(() => isShared([one, two], 2));
      await Promise.all([one.group.hand(mentions(0, 500)), one.group.hand(mentions(500, 1_000))]);
      await two.group.hand(mentions(1_000, 1_010));
      await until(() => got.size === 1_010);
      const sent = byHost(mentions(0, 1_010).map(({ url }) => url));
      for (const [host, urls] of byHost([...got])) assert.deepEqual(urls, sent.get(host));
      await Promise.all([one.group.close(), two.group.close()]);
    });

    it('promise 3: what was not durable is told again, what was is not', async () => {
      const { connect } = await open();
      const one = await Node.join(await connect());
      await until(() => isShared([one], 1));
      await one.group.hand(mentions(0, 50));
      await until(() => one.got.size === 50);
      one.isFailing = true;
      await one.group.hand(mentions(50, 90));
      await one.group.close();
      const two = await Node.join(await connect());
      await until(() => two.got.size >= 40);
      const sent = mentions(50, 90).map(({ url }) => url);
      assert.deepEqual([...two.got].sort(), sent.sort());
      await two.group.close();
    });

    it('promise 6: an arc is split: its parts go on where it was, each with its own', async (t) => {
      const { connect, keepsWhole } = await open();
      if (keepsWhole) return t.skip('this group splits nothing');
      const isLate = ({ url }: Mention) => Number(url.split('/').at(-1)) >= 400;
      const one = await Node.join(await connect());
      await until(() => isShared([one], 1));
      await one.group.hand(mentions(0, 400));
      await until(() => one.got.size === 400);
      await one.group.close();
      const [two, three] = [await Node.join(await connect()), await Node.join(await connect())];
      for (const node of [two, three]) node.isThere = (arc) => arc >= 128 && arc < 256;
      await until(() => isShared([two, three], 2));
      for (const node of [two, three]) node.group.follow(node.arcs.filter(node.isThere));
      await two.group.hand(mentions(400, 900));
      const late = () => [...two.got, ...three.got].filter((url) => isLate({ url } as Mention));
      await until(() => late().length === 500);
      assert.equal(new Set(late()).size, 500, 'each arrived at one of them');
      assert.ok(two.got.size > 0 && three.got.size > 0, 'both have some');
      await two.group.close();
      three.got.clear();
      await until(() => isShared([three], 1));
      await three.group.hand(mentions(900, 1_000));
      await until(() => three.got.size >= 100);
      assert.equal(three.got.size, 100, 'what was durable is not told again');
      await three.group.close();
    });

    it('promise 5: what is not ours is passed over, and what comes after it arrives', async (t) => {
      const { connect, litter } = await open();
      if (litter === undefined) return t.skip('nobody else can write here');
      const one = await Node.join(await connect());
      await litter();
      await one.group.hand(mentions(0, 100));
      await until(() => one.got.size === 100);
      await one.group.close();
    });
  });
}

function isShared(nodes: readonly Node[], size: number): boolean {
  const assigned = nodes.flatMap(({ arcs }) => arcs);
  const isEach = nodes.every(({ arcs }) => arcs.length > 0);
  return nodes.length === size && isEach && sorted(assigned).join() === sorted(all).join();
}
