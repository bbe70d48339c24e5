/**
 * Jobs over the API, with the test web's own log as the witness (A1, P1): several share one
 * frontier and one politeness; paused, resumed, cancelled, limited; none asks anything twice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gaps } from '../../testweb/index.ts';
import { openService, type TestService } from '../kit/service.ts';
import { openWebFor, pageRequests, type TestWeb } from '../kit/web.ts';

const RATE = 25;
const PACED = ['--rate', String(RATE), '--ip-rate', '1000'];
const ONE_HOST = { seed: 3, hosts: 1, pages: 24, bodyBytes: 300, features: 'plain' } as const;
const NO_NETWORK = ['--dns', '127.0.0.1:9'];

function urlsOf({ web }: TestWeb, host: number, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => web.urlOf(host, from + i));
}

async function begin(api: TestService, urls: readonly string[], more = {}): Promise<string> {
  const { status, json } = await api.post('/crawl/seeds', { urls, crawl_depth: 0, ...more });
  assert.equal(status, 202);
  return json.job_id;
}

const jobOf = async (api: TestService, id: string) => (await api.ask(`/jobs/${id}`)).json;

// biome-ignore lint/suspicious/noExplicitAny: what it is, is checked against the document.
async function until(api: TestService, id: string, isSo: (job: any) => boolean) {
  for (;;) {
    const job = await jobOf(api, id);
    if (isSo(job)) return job;
    await new Promise(setImmediate);
  }
}

const isOver = ({ state }: { state: string }) => state === 'done' || state === 'cancelled';

async function steer(api: TestService, id: string, act: string) {
  return api.ask(`/jobs/${id}/${act}`, { method: 'POST' });
}

function timesAsked(web: TestWeb): number[] {
  const times = new Map<string, number>();
  for (const { url } of pageRequests(web)) times.set(url, (times.get(url) ?? 0) + 1);
  return [...times.values()];
}

const countOf = (web: TestWeb, urls: readonly string[]) =>
  pageRequests(web).filter(({ url }) => urls.includes(url)).length;

test('two jobs on one host: its pause is kept between any two requests, and both are done', async (t) => {
  const web = await openWebFor(t, ONE_HOST);
  const api = await openService(t, web, { flags: PACED });
  const [one, two] = [urlsOf(web, 0, 0, 12), urlsOf(web, 0, 12, 24)];
  const ids = await Promise.all([begin(api, one, { name: 'one' }), begin(api, two)]);
  for (const id of ids) {
    const job = await until(api, id, isOver);
    assert.deepEqual([job.state, job.ended_by, job.counts.fetched], ['done', 'finished', 12]);
  }
  const [gap] = gaps(web.server.log);
  assert.equal(gap?.overlaps, 0);
  assert.ok((gap?.smallestMs ?? 0) >= 1_000 / RATE - 1, `${gap?.smallestMs} ms`);
  assert.deepEqual([timesAsked(web).length, Math.max(...timesAsked(web))], [24, 1]);
  const { json } = await api.ask('/jobs?limit=2');
  assert.deepEqual(
    json.jobs.map((job: { job_id: string }) => job.job_id),
    ['2', '1'],
  );
  const rest = (await api.ask(`/jobs?limit=2&cursor=${json.next_cursor}`)).json;
  assert.deepEqual([rest.jobs.length, rest.jobs[0].name], [1, 'the crawl itself']);
  assert.equal(rest.next_cursor, undefined);
});

test('pause: nothing more of that job is asked while another goes on; resume: everything, once', async (t) => {
  const web = await openWebFor(t, { ...ONE_HOST, hosts: 2, pages: 48 });
  const api = await openService(t, web, { flags: PACED });
  const [one, two] = [urlsOf(web, 0, 0, 20), urlsOf(web, 1, 0, 12)];
  const [first, second] = [await begin(api, one), await begin(api, two)];
  await until(api, first, ({ counts }) => counts.fetched >= 2);
  const paused = await steer(api, first, 'pause');
  assert.deepEqual([paused.status, paused.json.state], [200, 'paused']);
  const asked = countOf(web, one);
  assert.equal((await until(api, second, isOver)).counts.fetched, 12);
  const held = await until(api, first, ({ counts }) => counts.held > 0 && counts.waiting === 0);
  assert.ok(countOf(web, one) <= asked + 1, 'one may have been under way');
  assert.equal(held.counts.held + held.counts.fetched, 20);
  const unasked = one.find((url) => countOf(web, [url]) === 0) as string;
  const why = (await api.ask(`/why?url=${encodeURIComponent(unasked)}`)).text;
  assert.match(why, /belongs to job 1 \(.*\), which is paused since/);
  assert.equal((await steer(api, first, 'pause')).status, 409);
  assert.equal((await steer(api, first, 'resume')).json.state, 'running');
  const { counts } = await until(api, first, isOver);
  assert.deepEqual([counts.named, counts.fetched, counts.held, counts.waiting], [20, 20, 0, 0]);
  assert.deepEqual([timesAsked(web).length, Math.max(...timesAsked(web))], [32, 1]);
  assert.equal((await steer(api, first, 'resume')).status, 409);
  assert.match((await steer(api, first, 'cancel')).json.detail, /is over/);
});

test('cancel: the rest is forgotten at once, and a later job fetches it', async (t) => {
  const web = await openWebFor(t, ONE_HOST);
  const api = await openService(t, web, { flags: PACED });
  const urls = urlsOf(web, 0, 0, 24);
  const first = await begin(api, urls);
  await until(api, first, ({ counts }) => counts.fetched >= 2);
  const { json } = await steer(api, first, 'cancel');
  assert.deepEqual([json.state, json.ended_by], ['cancelled', 'cancelled']);
  const again = await api.post('/crawl/seeds', { urls, crawl_depth: 0 });
  const { fetched } = (await until(api, first, ({ counts }) => counts.waiting === 0)).counts;
  assert.ok(again.json.queued_urls >= 24 - fetched - 1, 'all but what was under way');
  const second = await until(api, again.json.job_id, isOver);
  assert.equal(second.counts.fetched, again.json.queued_urls);
  assert.equal(Math.max(...timesAsked(web)), 1);
  assert.ok(timesAsked(web).length >= 23);
  assert.equal((await steer(api, first, 'resume')).status, 409);
});

test('job 0, and jobs that are not there: paused, resumed, never cancelled; 404 and 409', async (t) => {
  const web = await openWebFor(t, ONE_HOST);
  const api = await openService(t, web, { flags: PACED });
  assert.equal((await steer(api, '0', 'pause')).json.state, 'paused');
  assert.equal((await steer(api, '0', 'cancel')).status, 409);
  const id = await begin(api, urlsOf(web, 0, 0, 3));
  assert.equal((await until(api, id, isOver)).counts.fetched, 3, 'a job is not the crawl itself');
  assert.equal((await steer(api, '0', 'resume')).json.state, 'running');
  assert.equal((await steer(api, '77', 'pause')).status, 404);
  assert.equal((await api.ask('/jobs/77')).status, 404);
  assert.equal((await steer(api, 'x', 'pause')).status, 422);
});

test('limits: as many requests for pages as the job may make, and not one more', async (t) => {
  const web = await openWebFor(t, { ...ONE_HOST, hosts: 4, pages: 120 });
  const api = await openService(t, web, { flags: ['--scope', 'any'] });
  const { json } = await api.post('/crawl/seeds', { urls: [web.start], limits: { pages: 17 } });
  const job = await until(api, json.job_id, (one) => isOver(one) && one.ended_at !== undefined);
  assert.deepEqual([job.state, job.ended_by], ['done', 'page_limit']);
  await until(api, json.job_id, ({ counts }) => counts.waiting + counts.held === 0);
  await api.quiet(17);
  assert.equal(pageRequests(web).length, 17);
  assert.equal(api.session.progress().totals.known, 17, 'the rest is forgotten');
});

test('scope and depth are the job’s own: a narrow one beside a crawl of everything', async (t) => {
  const web = await openWebFor(t, { ...ONE_HOST, hosts: 3, pages: 60 });
  const api = await openService(t, web, { flags: ['--scope', 'any'] });
  const { json } = await api.post('/crawl/seeds', { urls: [web.start], scope: 'host' });
  await until(api, json.job_id, isOver);
  const hosts = new Set(pageRequests(web).map(({ url }) => new URL(url).host));
  assert.deepEqual([...hosts], [new URL(web.start).host]);
});

test('after a restart: jobs, their states and their scope are there, and so is a key', async (t) => {
  const api = await openService(t, undefined, { flags: NO_NETWORK });
  const key = { 'idempotency-key': 'once' };
  const body = { urls: ['http://a.test/', 'mailto:x'], name: 'mine', limits: { hours: 5 } };
  const made = await api.post('/crawl/seeds', body, key);
  await steer(api, made.json.job_id, 'pause');
  const before = await jobOf(api, made.json.job_id);
  await api.close();
  const again = await openService(t, undefined, { dir: api.dir, flags: NO_NETWORK });
  const after = await jobOf(again, made.json.job_id);
  assert.deepEqual(
    [after.state, after.name, after.limits, after.created_at, after.paused_at],
    ['paused', 'mine', before.limits, before.created_at, before.paused_at],
  );
  const repeated = await again.post('/crawl/seeds', body, key);
  assert.deepEqual([repeated.status, repeated.json], [202, made.json]);
  assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
  const other = await again.post('/crawl/seeds', { urls: ['http://b.test/'] }, key);
  assert.equal(other.status, 422);
  assert.equal((await again.ask('/jobs')).json.jobs.length, 2);
  await again.close();
});
