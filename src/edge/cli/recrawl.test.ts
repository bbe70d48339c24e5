import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../recrawl/index.ts';
import { each, type FakeParts, fakeWorld, page, START } from './fake-world.test.ts';
import { runCli } from './run.ts';

async function orb(argv: string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const world = fakeWorld({ crawls: ['.orb/one'], ...parts, argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), world };
}

const NOTHING = { asked: 0, waiting: 0, unknown: [], isRunning: false };

test('recrawl: a crawl that runs is told, and nothing else is done', async () => {
  const queries: unknown[] = [];
  const recrawl = async (query: unknown) => {
    queries.push(query);
    return { ...NOTHING, asked: 12, isRunning: true };
  };
  const { code, out } = await orb(['recrawl', 'www.example.com', 'https://a.example/x*'], {
    answers: { recrawl },
  });
  assert.equal(code, 0);
  assert.equal(out, '12 pages are due now; the crawl that runs asks next.\n');
  assert.deepEqual(queries, [{ what: ['www.example.com', 'https://a.example/x*'], all: false }]);
});

test('recrawl: --later only makes pages due, and says how to go on', async () => {
  const recrawl = async () => ({ ...NOTHING, asked: 1 });
  const { code, out } = await orb(['recrawl', '--all', '--later'], { answers: { recrawl } });
  assert.equal(code, 0);
  assert.equal(out, '1 page is due now; run: orb crawl --dir .orb/one.\n');
});

test('recrawl: what is not known ends with 1 and its name; nothing named is a mistake', async () => {
  const recrawl = async () => ({ ...NOTHING, unknown: ['https://a.example/'] });
  const none = await orb(['recrawl', 'https://a.example/'], { answers: { recrawl } });
  assert.equal(none.code, 1);
  assert.match(none.out, /knows nothing of https:\/\/a\.example\//);
  const empty = await orb(['recrawl']);
  assert.equal(empty.code, 2);
  assert.match(empty.err, /--all/);
});

const CHANGE: Change = {
  ...{
    change: 'changed',
    url: 'https://a.example/',
    at: START,
    to: '',
    title: 'Home',
    status: 200,
  },
  contentHash: new Uint8Array(0),
};

test('changes: rows for people and as JSON lines, from the instant that was named', async () => {
  const asked: unknown[] = [];
  const changes = (query: unknown) => {
    asked.push(query);
    return each([CHANGE, { ...CHANGE, change: 'moved' as const, to: 'https://b.example/' }]);
  };
  const text = await orb(['changes', '--since', '7d'], { answers: { changes } });
  assert.equal(text.code, 0);
  const when = new Date(START).toISOString();
  assert.deepEqual(text.out.split('\n'), [
    `changed  ${when}  https://a.example/  Home`,
    `moved    ${when}  https://a.example/  → https://b.example/`,
    '',
  ]);
  const json = await orb(['changes', '--since', '2026-01-31T12:00', '--json'], {
    answers: { changes },
  });
  assert.deepEqual(JSON.parse(json.out.split('\n')[1] as string), {
    ...{ change: 'moved', url: 'https://a.example/', at: when },
    ...{ to: 'https://b.example/', title: 'Home', status: 200 },
  });
  assert.deepEqual(asked, [
    { since: text.world.clock.now() - 7 * 86_400_000 },
    { since: Date.UTC(2026, 0, 31, 12) },
  ]);
});

test('changes: against the folder of another crawl; one of the two is needed, and not both', async () => {
  const pages = () => each([page('https://a.example/', { state: 'indexed' })]);
  const same = await orb(['changes', '--against', 'other'], { answers: { pages } });
  assert.deepEqual([same.code, same.out], [0, '']);
  for (const argv of [['changes'], ['changes', '--since', '1d', '--against', 'x']]) {
    const { code, err } = await orb(argv);
    assert.equal(code, 2);
    assert.match(err, /--since 7d/);
  }
});
