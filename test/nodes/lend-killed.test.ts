/**
 * `orb serve --roles fetch` as processes (K3, K5): a service that asks nobody itself, a fetcher
 * that is killed in the middle, and another that finishes. The web's own log is the witness.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gaps } from '../../testweb/index.ts';
import { orb, startOrb } from '../kit/orb.ts';
import { openService } from '../kit/service.ts';
import { asked, openWebFor, pageRequests, waitForRequests } from '../kit/web.ts';

const RATE = 20;
const WEB = { seed: 5, hosts: 6, pages: 60, bodyBytes: 600, features: 'plain' } as const;
const SHORT = ['--timeout', '1s'];

test('fetcher: killed in the middle, another finishes: nothing is lost, every pause is kept', async (t) => {
  const web = await openWebFor(t, WEB);
  const pace = ['--rate', String(RATE), '--ip-rate', '1000'];
  const roles = ['--roles', 'frontier,parse,schedule,api'];
  const api = await openService(t, web, { flags: [...roles, ...pace, ...SHORT] });
  const fetching = ['serve', '--roles', 'fetch', '--frontier', api.at, ...SHORT];
  const start = () => startOrb(t, [...fetching, '--allow-network', '127.1.0.0/16']);
  await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  const first = start();
  assert.ok(await waitForRequests(web, 20, () => first.isOver), first.stderr);
  first.kill('SIGKILL');
  await first.ended;
  const second = start();
  await api.quiet(WEB.pages);
  const again = pageRequests(web).length - asked(web).size;
  assert.ok(asked(web).size >= WEB.pages, `${asked(web).size} pages`);
  assert.ok(again <= WEB.hosts, `${again} asked again: no more than were under way`);
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= 1_000 / RATE - 1, `${gap.of}: ${gap.smallestMs} ms`);
  }
  second.kill('SIGTERM');
  const end = await second.ended;
  assert.equal(end.code, 143, end.stderr);
  assert.match(end.stderr, /"event":"fetching".*\n.*"event":"ended"/s);
  assert.deepEqual(api.bugs, []);
});

test('fetcher: keeps to its own address rules, whoever tells it where to connect (Y1)', async (t) => {
  const web = await openWebFor(t, { ...WEB, hosts: 1, pages: 4 });
  const roles = ['--roles', 'frontier,parse,schedule,api'];
  const api = await openService(t, web, { flags: [...roles, ...SHORT] });
  const { json } = await api.post('/crawl/seeds', { urls: [web.start], crawl_depth: 0 });
  const fetcher = startOrb(t, ['serve', '--roles', 'fetch', '--frontier', api.at, ...SHORT]);
  for (let job = json; job.state !== 'done'; ) {
    assert.ok(!fetcher.isOver, fetcher.stderr);
    job = (await api.ask(`/jobs/${json.job_id}`)).json;
  }
  assert.equal(web.server.log.length, 0, 'nothing was sent');
});

test('fetcher: without a frontier, or with one that is none of its business: refused', async (t) => {
  const alone = await orb(t, ['serve', '--roles', 'fetch']);
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /--frontier http:\/\/HOST:7070/);
  const both = await orb(t, ['serve', '--frontier', 'http://127.0.0.1:9/']);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--roles fetch/);
});
