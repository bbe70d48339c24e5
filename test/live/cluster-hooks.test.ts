/**
 * Webhooks of a cluster (A5): every page is told, whoever fetched it, also when a node is killed in
 * the middle and another takes its arcs. Judged by what came to a real server.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { FetchEvent } from '../../src/events/index.ts';
import { type ClusterNode, clusterSkip, testCluster } from '../kit/cluster.ts';
import { pageMessages } from '../kit/cluster-look.ts';
import { openWebFor, waitForRequests } from '../kit/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const FLAGS = [
  ...['--scope', 'any', '--workers', '0', '--concurrency', '16', '--rate', 'max'],
  ...['--allow-private', '--contact', 'mailto:test@example.com', '--term', '3s'],
];

type Test = Parameters<NonNullable<Parameters<typeof it>[0]>>[0];

async function receiver(t: Test) {
  const told: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as Message;
      told.push(...data.events.map(({ id }) => id));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told };
}

interface Message {
  readonly data: { readonly events: readonly FetchEvent[] };
}

describe('cluster webhooks', { skip: clusterSkip }, () => {
  it('two nodes, one is killed in the middle, another joins: every page is told', async (t) => {
    const { url, told } = await receiver(t);
    const web = await openWebFor(t, { seed: 8, hosts: 6, pages: 90, features: ['copies'] });
    const cluster = testCluster(t, { web, flags: [...FLAGS, '--webhook', url] });
    const env = { ORB_HOOKS_WEBHOOK_SECRET: SECRET };
    const nodes = await Promise.all([0, 1].map(() => cluster.start([], env)));
    const [one, two] = nodes as [ClusterNode, ClusterNode];
    await one.ask('/crawl/seeds', { urls: [web.start], scope: 'any' });
    await waitForRequests(web, 40, () => one.isOver);
    two.kill('SIGKILL');
    await cluster.start([], env);
    await cluster.quiet(one);
    const pages = (await pageMessages(cluster)).filter(({ kind }) => kind === 'page');
    const ids = new Set(pages.map(({ id }) => id));
    assert.ok(ids.size > 50, `${ids.size} pages`);
    const isTold = () => [...ids].every((id) => told.includes(id));
    while (!isTold()) await new Promise((look) => setTimeout(look, 250));
    t.diagnostic(`${ids.size} pages, ${told.length - ids.size} told again`);
  });
});
