/**
 * Regions on a ring (K4): a node that is in one leaves hosts of another to those who are nearer, as long
 * as it was told to wait for them; and a table that cannot be read is said before anything begins.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { orb } from '../kit/orb.ts';
import { scratch } from '../kit/place.ts';
import { TestRing } from '../kit/ring.ts';
import { openWebFor, waitForRequests } from '../kit/web.ts';

const WEB = { seed: 5, hosts: 2, pages: 40, skew: 0, bodyBytes: 600, features: 'plain' } as const;
const ASKED = 15;

test('ring: a node in Europe, a host elsewhere: it is left to others for as long as was said', async (t) => {
  const web = await openWebFor(t, WEB);
  const { web: made } = web;
  const there = made.hosts[1]?.name as string;
  const table = join(await scratch(t), 'regions.csv');
  await writeFile(table, '127.1.0.0/16,eu\n');
  const near = ['--region', 'eu', '--geo-ip', table, '--host-region', `${there}=as`];
  const pace = ['--rate', '50', '--ip-rate', '1000', '--take-over-after', '1h'];
  const flags = [...web.flags, ...near, ...pace];
  const ring = await TestRing.open(t, { nodes: 1, flags, isDirect: true });
  const [node] = ring.nodes;
  assert.ok(node);
  // Somebody is there who is nearer, and has been told that there is nothing to do yet.
  await node.ask('/frontier/all/lease_batch', { fetcher: 'one', n: 1, region: 'asia' });
  await node.ask('/crawl/seeds', { urls: [made.urlOf(1, 0), made.urlOf(0, 0)], scope: 'any' });
  assert.ok(await waitForRequests(web, ASKED, () => node.isOver), node.stderr);
  const asked = [...web.server.log.requests()].filter(({ host }) => host === there);
  assert.deepEqual(asked, []);
});

test('ring: a table of regions that is none is refused before anything is made', async (t) => {
  const place = await scratch(t);
  const [dir, table] = [join(place, 'n1'), join(place, 'regions.csv')];
  await writeFile(table, 'what is this\n');
  const { code, stderr } = await orb(t, ['ring', 'start', '--dir', dir, '--geo-ip', table]);
  assert.notEqual(code, 0);
  assert.match(stderr, /regions\.csv/);
  assert.ok(!existsSync(dir));
});
