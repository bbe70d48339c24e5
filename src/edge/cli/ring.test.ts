/** `orb ring` and `orb crawl --ring`: words, exit codes, and what is said (D1, D8, L3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import type { RingDesk } from '../../crawl/ring-desk.ts';
import type { RingSurvey } from '../../crawl/ring-survey.ts';
import type { RemoteCall, RemoteCrawl, RemoteJob } from '../../ports/remote-crawl.ts';
import type { RingArc, RingReport } from '../../ports/ring-report.ts';
import { certifiedBy } from '../../ring/index.ts';
import { SignKey } from '../../sign/index.ts';
import { type FakeWorld, fakeWorld, START } from './fake-world.test.ts';
import { runCli } from './run.ts';
import type { World } from './world.ts';

const ME = { id: 'a'.repeat(43), place: '79786314aaaaaaaa', at: '127.0.0.1:7946' };
const OTHER = { id: 'b'.repeat(43), place: '3bd760e0aaaaaaaa', at: '127.0.0.1:7947' };

function arc(nth: number, more: Partial<RingArc> = {}): RingArc {
  const seats = [ME.place, OTHER.place];
  return { arc: nth, epoch: 2, role: 'owner', owner: ME.place, seats, level: 2, ...more };
}

const REPORT: RingReport = {
  ...{ me: ME, status: 'member', at: START, before: OTHER, successors: [OTHER], fingers: [] },
  arcs: [arc(0), arc(1, { level: 1 }), arc(2, { role: 'seat', owner: OTHER.place })],
  counts: {
    ...{ ownerships: 3, losses: 1, handOvers: 1, staleRefused: 4, staleTold: 5, messagesIn: 6 },
    ...{ messagesOut: 7, bytesIn: 2_048, bytesOut: 4_096, rowBytesIn: 0, rowBytesOut: 0 },
    ...{ lookups: 0, lookupHops: 0, strangers: 8, nonsense: 9, lent: 12, lentSettled: 10 },
    ...{ lentLost: 2, borrowed: 3, borrowedSettled: 3, borrowedLost: 0 },
  },
  lookups: [],
  totals: { known: 1_000, waiting: -3, fetched: 900 },
};

const SURVEY: RingSurvey = {
  ...{ at: START, me: ME, isWhole: true },
  nodes: [
    { peer: OTHER, report: undefined, heardAt: undefined },
    { peer: ME, report: REPORT, heardAt: START },
  ],
  arcs: [0, 1].map((nth) => ({
    ...{ arc: nth, epoch: 2, owner: nth === 0 ? ME.place : undefined, seats: [] },
    ...{ level: undefined, isHanding: false },
  })),
};

function desk(more: Partial<RingDesk> = {}): RingDesk {
  return {
    report: async () => REPORT,
    survey: async () => SURVEY,
    async *leave() {
      yield { owned: 12, kept: 52 };
      yield { owned: 1, kept: 1 };
      yield { owned: 1, kept: 1 };
      yield { owned: 0, kept: 0 };
    },
    ...more,
  };
}

type Doors = Partial<Pick<World, 'askRing' | 'keyFiles'>>;

async function told(argv: readonly string[], more: Doors = {}) {
  const world: FakeWorld = { ...fakeWorld({ argv }), ...more };
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err() };
}

test('ring: words that are none are told with those that are', async () => {
  for (const [argv, says] of [
    [['ring', 'begin'], /does not know how to 'begin'/],
    [['ring', 'start', 'now'], /does not know what to do with 'now'/],
    [['ring', 'join'], /needs the address of a member/],
    [['ring', 'join', 'http://a/'], /'http:\/\/a\/' is no address/],
    [['ring', 'certify', 'k.json'], /needs a file, a public key and a name/],
    [['ring', 'certify', 'k.json', 'short', 'n2'], /'short' is no public key/],
    [['ring', 'keygen'], /needs one file name/],
  ] as const) {
    const { code, err } = await told(argv);
    assert.equal(code, 2, err);
    assert.match(err, says);
  }
  const { code, out } = await told(['ring']);
  assert.equal(code, 0);
  assert.match(out, /orb ring start --dir n1/);
});

test('ring: a secret and certificates together, or half of them, are refused', async () => {
  const wrong = [
    ['--secret', 'x', '--secret-file', 'f'],
    ['--secret-file', 'f', '--certificate', 'c', '--ring-key', 'k'],
    ['--certificate', 'c'],
    ['--ring-key', 'k'],
  ];
  for (const flags of wrong) {
    const { code, err } = await told(['ring', 'start', ...flags]);
    assert.equal(code, 2, flags.join(' '));
    assert.doesNotMatch(err, /\bx\b/, 'no secret is repeated');
  }
});

test('ring status: the node, and all that it finds; a sum below zero is nothing', async () => {
  const askRing = async () => desk();
  const { code, out } = await told(['ring', 'status', '--dir', 'n1'], { askRing });
  assert.equal(code, 0);
  assert.match(out, /node 79786314 at 127\.0\.0\.1:7946 \(member\)/);
  assert.match(out, /owns {8}2 of 64 arcs; keeps copies of 1 more/);
  assert.match(out, /copies {6}1 arc with one on a silent node/);
  assert.match(out, /1,000 known, 0 waiting, 900 fetched/);
  assert.match(out, /4 late writes of others, 5 of its own/);
  assert.match(out, /12 requests to replicas, 2 came back; 3 borrowed of other owners/);
  assert.match(out, /127\.0\.0\.1:7947 +silent/);
  assert.match(out, /no owner just now: arc 1/);
  const json = await told(['ring', 'status', '--json'], { askRing });
  assert.equal(JSON.parse(json.out).report.me.place, ME.place);
});

test('ring status, leave: where no node runs, it is said what to do', async () => {
  for (const word of ['status', 'leave']) {
    const { code, err } = await told(['ring', word, '--dir', 'n9']);
    assert.equal(code, 4);
    assert.match(err, /No node of a ring runs in n9/);
  }
});

test('ring leave: says how far it is, each number once, and what stays', async () => {
  const askRing = async () => desk();
  const { code, out, err } = await told(['ring', 'leave', '--dir', 'n2'], { askRing });
  assert.equal(code, 0);
  assert.equal(err.match(/Leaving/g)?.length, 3);
  assert.match(err, /1 arc to hand over, 1 copy to be made elsewhere/);
  assert.match(out, /has left the ring; its folder may be deleted/);
});

test('ring leave: nothing moves: it is said who is silent, and what helps', async () => {
  const stuck: Partial<RingDesk> = {
    async *leave() {
      yield { owned: 0, kept: 48 };
      yield { owned: 0, kept: 48, silent: ['3bd760e012345678'] };
      yield { owned: 0, kept: 48, silent: ['3bd760e012345678'] };
      yield { owned: 0, kept: 0 };
    },
  };
  const askRing = async () => desk(stuck);
  const { err } = await told(['ring', 'leave', '--dir', 'n2'], { askRing });
  assert.equal(err.match(/Leaving/g)?.length, 3);
  assert.match(err, /48 copies .*nothing moves \(silent: 3bd760e0\)\. Join another node/);
});

test('ring certify: what it prints makes that node a member for a year', async () => {
  const [ring, node] = [1, 2].map((n) => new SignKey(Buffer.alloc(32, n))) as [SignKey, SignKey];
  const keyFiles = { read: async () => ring, create: async () => ring };
  const id = node.publicJwk.x;
  const { code, out } = await told(['ring', 'certify', 'k.json', id, 'n2'], { keyFiles });
  assert.equal(code, 0);
  const ringId = ring.publicJwk.x;
  assert.equal(certifiedBy(ringId, out.trim(), id, START + 86_400_000)?.name, 'n2');
  assert.equal(certifiedBy(ringId, out.trim(), id, START + 400 * 86_400_000), undefined);
});

const JOB: RemoteJob = {
  ...{ state: 'running', endedBy: '', named: 5, waiting: 4, fetched: 1, failed: 0, skipped: 0 },
  bytes: 1_000,
};
const DONE: RemoteJob = { ...JOB, state: 'done', endedBy: 'finished', waiting: 0, fetched: 5 };

function remote(looks: readonly (RemoteJob | Error)[], calls: RemoteCall[] = []): RemoteCrawl {
  let at = 0;
  return {
    begin: async (call) => {
      calls.push(call);
      return { id: '7', queued: 1, known: 0, refused: [{ url: 'x:y', reason: 'no' }] };
    },
    job: async () => {
      const seen = looks[Math.min(at++, looks.length - 1)] as RemoteJob | Error;
      if (seen instanceof Error) throw seen;
      return seen;
    },
  };
}

/** Time passes while it runs. */
async function crawled(argv: readonly string[], crawl: RemoteCrawl) {
  const world: FakeWorld = { ...fakeWorld({ argv }), openRemoteCrawl: () => crawl };
  const end = { isOver: false };
  const code = runCli(world).finally(() => {
    end.isOver = true;
  });
  while (!end.isOver) await world.clock.pass(500);
  return { code: await code, out: world.out(), err: world.err() };
}

const CRAWL = ['crawl', 'https://a.example/', '--ring', 'http://127.0.0.1:7070/'];

test('crawl --ring: what was said of the seeds goes with them, and the job is followed to its end', async () => {
  const calls: RemoteCall[] = [];
  const flags = ['--depth', '3', '--limit', '50', '--max-time', '2h', '--scope', 'domain'];
  // Finished for a moment, because what waits elsewhere was not heard of yet.
  const crawl = remote([JOB, DONE, DONE, JOB, DONE], calls);
  const { code, err, out } = await crawled([...CRAWL, ...flags, '--json'], crawl);
  assert.equal(code, 0, err);
  const said = { depth: 3, scope: 'domain', pagesMax: 50, hoursMax: 2 };
  assert.deepEqual(calls, [{ urls: ['https://a.example/'], ...said }]);
  assert.match(err, /Job 7 is over: 5 pages/);
  assert.deepEqual(JSON.parse(out), { job: '7', ...DONE });
});

test('crawl --ring: nothing is said of the seeds that nobody said', async () => {
  const calls: RemoteCall[] = [];
  await crawled(CRAWL, remote([DONE], calls));
  assert.deepEqual(calls, [{ urls: ['https://a.example/'] }]);
});

test('crawl --ring: a node that does not answer for a while is asked again, one that says no is not', async () => {
  const down = new CrawlError('E_RING_DOWN', 'No node answers.', 'Ask another.');
  const { code, err } = await crawled(CRAWL, remote([JOB, down, down, DONE]));
  assert.equal(code, 0);
  assert.match(err, /No node answers\. Asking again\./);
  assert.equal((await crawled(CRAWL, remote([down]))).code, 8);
  const no = new CrawlError('E_RING_REFUSED', 'It answers 401.', 'Give a token.');
  const refused = await crawled(CRAWL, remote([no]));
  assert.equal(refused.code, 4);
  assert.match(refused.err, /Give a token/);
});

test('crawl --ring: exit codes tell what came of it', async () => {
  const none = { ...DONE, fetched: 0, failed: 1 };
  assert.equal((await crawled(CRAWL, remote([none]))).code, 5);
  const cancelled: RemoteJob = { ...DONE, state: 'cancelled', endedBy: 'cancelled' };
  assert.equal((await crawled(CRAWL, remote([cancelled]))).code, 6);
});

test('crawl --ring: what is a setting of nodes is refused, and Ctrl-C leaves the job alone', async () => {
  const { code, err } = await told([...CRAWL, '--rate', '3']);
  assert.equal(code, 2);
  assert.match(err, /--rate cannot be given with --ring/);
  const world: FakeWorld = { ...fakeWorld({ argv: CRAWL }), openRemoteCrawl: () => remote([JOB]) };
  const end = runCli(world);
  await world.clock.pass(3_000);
  world.signal('SIGINT');
  assert.equal(await end, 130);
  assert.match(world.err(), /Job 7 goes on in the ring/);
});
