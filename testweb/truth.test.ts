/** The truth is checked against a crawl that knows nothing of the generator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duplicates } from './audit.ts';
import { bruteCrawl } from './brute-crawl.ts';
import { serveWeb } from './serve.ts';
import type { Truth, TruthClass } from './truth.ts';
import { openWeb } from './web.ts';

test('truth: a crawl that shares no code with it finds the same web', async (t) => {
  const honest = openWeb({ seed: 11, hosts: 60, pages: 1_500, slowMsMax: 4, patienceSec: 0 });
  const server = await serveWeb(honest);
  t.after(() => server.close());
  const { web } = server;
  const found = await bruteCrawl(web.urlOf(0, 0), (name) => addressIn(web, name));
  const truth = web.truth();
  assert.deepEqual(sorted(found.pages), listed(truth, 'page'));
  assert.deepEqual(sorted(found.redirects), listed(truth, 'redirect'));
  assert.deepEqual(sorted(found.dead), listed(truth, 'dead'));
  assert.deepEqual(sorted(found.forbidden), listed(truth, 'forbidden'));
  assert.deepEqual(duplicates(server.log), []);
});

test('truth: every numbered page of an honest web is reached, forbidden, or a redirect’s end', () => {
  const web = openWeb({ seed: 5, hosts: 100, pages: 5_000 });
  const beyond = [...web.truth().urls('unreached')].filter((url) => !isBeyond(url));
  const shut = new Set(web.hosts.filter((h) => !h.trunk).map((h) => h.name));
  assert.deepEqual(
    beyond.filter((url) => !shut.has(new URL(url).hostname)),
    [],
  );
});

/** Past the fifth hop, or the landing of a redirect that is too long. */
const isBeyond = (url: string): boolean => /\/(hop|new)\//.test(url);

test('truth: scope host keeps to the host of the seed, scope domain to its domain', () => {
  const web = openWeb({ seed: 5, hosts: 40, pages: 2_000 });
  const seeds = [web.urlOf(3, 0)];
  const host = [...web.truth({ seeds, scope: 'host' }).urls('page')];
  assert.ok(host.length > 1);
  assert.ok(host.every((url) => new URL(url).hostname === web.hosts[3]!.name));
  const domain = [...web.truth({ seeds, scope: 'domain' }).urls('page')];
  assert.ok(domain.length > host.length);
  assert.ok(domain.every((url) => new URL(url).hostname.endsWith(web.hosts[3]!.domain)));
});

test('truth: depth 0 is the seed alone, and each level adds to the last', () => {
  const web = openWeb({ seed: 5, hosts: 40, pages: 2_000, features: 'plain' });
  const counts = [0, 1, 2, 3].map((depth) => web.truth({ depth }).count('page'));
  assert.equal(counts[0], 1);
  assert.ok(counts[0]! < counts[1]! && counts[1]! < counts[2]!);
  assert.equal(web.truth().count('page'), 2_000);
});

test('truth: another agent is shut out where only ours is let in', () => {
  const web = openWeb({ seed: 5, hosts: 200, pages: 4_000 });
  const host = web.hosts.find((one) => one.robots === 'agent-open')!;
  const url = web.urlOf(host.index, 0);
  assert.ok([...web.truth({ agent: 'Orbweaver' }).urls('page')].includes(url));
  assert.ok([...web.truth({ agent: 'Otherthing' }).urls('forbidden')].includes(url));
});

function addressIn(web: ReturnType<typeof openWeb>, name: string): string {
  const answer = web.resolve(name);
  assert.equal(answer.kind, 'address', name);
  return answer.kind === 'address' ? answer.address : '';
}

const sorted = (urls: Iterable<string>): string[] => [...urls].sort();
const listed = (truth: Truth, kind: TruthClass): string[] => sorted(truth.urls(kind));
