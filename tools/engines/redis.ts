/**
 * Redis: Debian's, installed or unpacked; one server, and a cluster of three without replicas.
 *
 * Nothing is written to disk unless a test says `SAVE`: a restart is then a flush, and after a
 * `SAVE` it is a step back in time.
 */
import { globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';
import type { Command, Engine, Shelf, Site } from './engine.ts';
import { debian, onPath } from './obtain.ts';

const PACKAGES = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2'];
const SLOTS = 16_384;
const NODES = 3;
const ANSWER_MS = 1_000;
/** A cluster is formed once: on a machine that starts Java beside it, that may take its time. */
const FORM_ANSWER_MS = 15_000;
const FORM_MS = 60_000;
const LOOK_MS = 100;

export const redis: Engine = {
  name: 'redis',
  variable: 'ORB_LIVE_REDIS',
  obtain,
  async plan(site) {
    const port = await site.port();
    return { address: `redis://127.0.0.1:${port}`, commands: [await server(site, 'redis', port)] };
  },
  answers: (address) => said(address, ['PING']),
};

/** Its address is that of every node, with commas between them. */
export const redisCluster: Engine = {
  name: 'redis-cluster',
  variable: 'ORB_LIVE_REDIS_CLUSTER',
  obtain,
  async plan(site) {
    const nodes: { port: number; bus: number; command: Command }[] = [];
    for (let i = 1; i <= NODES; i++) {
      const [port, bus] = [await site.port(), await site.port()];
      const flags = ['--cluster-enabled', 'yes', '--cluster-port', `${bus}`];
      const own = [...flags, '--cluster-node-timeout', '2000'];
      nodes.push({ port, bus, command: await server(site, `node-${i}`, port, own) });
    }
    return {
      address: nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(','),
      commands: nodes.map(({ command }) => command),
      finish: () => form(nodes),
    };
  },
  answers: (address) => Promise.all(address.split(',').map((url) => said(url, ['PING']))),
};

async function obtain(shelf: Shelf): Promise<string> {
  const installed = onPath('redis-server');
  if (installed !== undefined) return dirname(installed);
  return join(await debian(shelf, 'redis', PACKAGES), 'usr', 'bin');
}

async function server(
  site: Site,
  name: string,
  port: number,
  flags: readonly string[] = [],
): Promise<Command> {
  const dir = join(site.dir, name);
  await mkdir(dir);
  const place = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', dir];
  return {
    ...{ name, program: join(site.programs, 'redis-server'), env: libraries(site.programs) },
    args: [...place, '--save', '', '--appendonly', 'no', ...flags],
  };
}

/** Each node gets its third of the slots, and meets the first. */
async function form(nodes: readonly { port: number; bus: number }[]): Promise<void> {
  const urls = nodes.map(({ port }) => `redis://127.0.0.1:${port}`);
  for (const [i, url] of urls.entries()) {
    const [from, to] = [cut(i), cut(i + 1) - 1];
    await said(url, ['CLUSTER', 'SET-CONFIG-EPOCH', `${i + 1}`], FORM_ANSWER_MS);
    await said(url, ['CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${to}`], FORM_ANSWER_MS);
  }
  for (const { port, bus } of nodes.slice(1)) {
    const meet = ['CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${bus}`];
    await said(urls[0] as string, meet, FORM_ANSWER_MS);
  }
  for (let waited = 0; ; waited += LOOK_MS) {
    const told = await Promise.all(
      urls.map((url) => said(url, ['CLUSTER', 'INFO'], FORM_ANSWER_MS)),
    );
    if (told.every((info) => /cluster_state:ok/.test(info) && knowsAll(info))) return;
    if (waited > FORM_MS) throw new Error(`the Redis cluster does not form: ${told[0]}`);
    await pause(LOOK_MS);
  }
}

function cut(nth: number): number {
  return Math.floor((SLOTS * nth) / NODES);
}

function knowsAll(info: string): boolean {
  return info.includes(`cluster_known_nodes:${NODES}`);
}

/** What a server says to one command, on a line of its own. */
async function said(
  url: string,
  words: readonly string[],
  connectTimeout = ANSWER_MS,
): Promise<string> {
  const client = createClient({
    ...{ url, socket: { connectTimeout, reconnectStrategy: false } },
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return String(await client.sendCommand([...words]));
  } finally {
    client.destroy();
  }
}

/** Unpacked packages bring their libraries along; an installed one finds its own. */
function libraries(programs: string): Record<string, string> {
  const places = globSync(join(programs, '..', 'lib', '*-linux-gnu'));
  const isUnpacked = programs.includes('debian-redis') && places.length > 0;
  return isUnpacked ? { LD_LIBRARY_PATH: places.join(':') } : {};
}
