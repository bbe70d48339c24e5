import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditLine } from '../../comply/index.ts';
import type { HoldQuery, TakedownQuery } from '../../crawl/comply-answers.ts';
import { each, type FakeParts, fakeWorld } from './fake-world.test.ts';
import { runCli } from './run.ts';

async function orb(argv: string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const world = fakeWorld({ crawls: ['.orb/one'], ...parts, argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err() };
}

const SUBJECT = { kind: 'url', value: 'https://a.example/\u001b[31mx' } as const;
const REMOVED = { records: 1_234, bodies: 2, events: 3 };

test('erase and block: what is named, why and by whom goes to the folder, and the report is told', async () => {
  const queries: TakedownQuery[] = [];
  const takeDown = async (query: TakedownQuery) => {
    queries.push(query);
    return { subject: SUBJECT, seq: 7, removed: REMOVED, kept: ['this, because of that'] };
  };
  const flags = ['--reason', 'ticket 4711', '--by', 'anna'];
  const erased = await orb(['erase', '--url', 'https://a.example/x', ...flags], {
    answers: { takeDown },
  });
  assert.equal(erased.code, 0, erased.err);
  assert.match(erased.out, /1,234 records, 2 bodies, 3 events\.\nKept: this, because of that\./);
  assert.match(erased.out, /line 7 of the audit trail/);
  assert.ok(!erased.out.includes('\u001b'));
  const blocked = await orb(['block', '--host', 'a.example', '--subdomains', ...flags], {
    answers: { takeDown },
  });
  assert.match(blocked.out, /never asked again/);
  const said = { reason: 'ticket 4711', by: 'anna' };
  assert.deepEqual(queries, [
    { url: 'https://a.example/x', subdomains: false, ...said, erase: true },
    { host: 'a.example', subdomains: true, ...said, erase: false },
  ]);
});

test('erase: refused for a hold, it ends with 1; as JSON the whole report is told', async () => {
  const refused = 'under legal hold by judge';
  const report = { subject: SUBJECT, seq: 8, refused, removed: REMOVED, kept: [] };
  const takeDown = async () => report;
  const argv = ['erase', '--pattern', 'https://a.example/*', '--reason', 'r'];
  const text = await orb(argv, { answers: { takeDown } });
  assert.equal(text.code, 1);
  assert.match(text.out, /^Not erased: .* is under legal hold by judge\./);
  const json = await orb([...argv, '--json'], { answers: { takeDown } });
  assert.deepEqual(JSON.parse(json.out), report);
});

test('erase, block and hold: one subject and a reason, or a mistake that says what to write', async () => {
  for (const command of ['erase', 'block', 'hold']) {
    const none = await orb([command, '--reason', 'r']);
    assert.equal(none.code, 2, command);
    assert.match(none.err, /--url URL, --host HOST, --pattern PATTERN/);
    const two = await orb([command, '--host', 'a.example', '--url', 'https://a.example/']);
    assert.equal(two.code, 2);
    assert.match(two.err, /--reason/);
  }
  const silent = await orb(['complain', 'a.example']);
  assert.equal(silent.code, 2);
  assert.match(silent.err, /--text/);
});

test('hold: kept, released, and a release of nothing ends with 1', async () => {
  const queries: HoldQuery[] = [];
  const hold = async (query: HoldQuery) => {
    queries.push(query);
    const refused = queries.length === 3 && { refused: 'no such hold is in force' };
    return { subject: SUBJECT, seq: queries.length, ...refused };
  };
  const argv = ['hold', '--host', 'a.example', '--reason', 'case 12'];
  assert.match((await orb(argv, { answers: { hold } })).out, /is kept until it is released/);
  const released = await orb([...argv, '--release'], { answers: { hold } });
  assert.match(released.out, /is held no longer/);
  assert.equal((await orb([...argv, '--release'], { answers: { hold } })).code, 1);
  assert.deepEqual(
    queries.map(({ release }) => release),
    [false, true, true],
  );
});

test('audit: verify ends with 1 and names the line; list is safe in text and in a spreadsheet', async () => {
  const verifyTrail = async () => ({
    lines: 4,
    bad: { line: 5, problem: 'was changed' },
    pending: 1,
  });
  const bad = await orb(['audit', 'verify'], { answers: { verifyTrail } });
  assert.deepEqual([bad.code, bad.out.split('\n')[0]], [1, 'Line 5 of audit.jsonl was changed.']);
  const whole = await orb(['audit', 'verify'], {
    answers: { verifyTrail: async () => ({ lines: 4, pending: 0 }) },
  });
  assert.deepEqual([whole.code, /^The audit trail is whole: 4 lines/.test(whole.out)], [0, true]);
  const line: AuditLine = {
    ...{ seq: 1, at: '2026-11-15T00:00:00.000Z', by: 'x\ny', action: 'erase', phase: 'done' },
    ...{ subject: SUBJECT, reason: '=HYPERLINK("x")', outcome: 'o', prev: 'p', hash: 'h' },
  };
  const trail = () => each([line]);
  const text = await orb(['audit', 'list'], { answers: { trail } });
  assert.equal(text.out.trimEnd().split('\n').length, 1);
  assert.ok(!text.out.includes('\u001b'));
  const csv = await orb(['audit', 'list', '--format', 'csv'], { answers: { trail } });
  assert.doesNotMatch(csv.out, /,=|,"=/);
  assert.equal((await orb(['audit', 'nonsense'])).code, 2);
});

test('audit rules: denials and holds in force, a line each', async () => {
  const rule = {
    ...SUBJECT,
    reason: 'r',
    by: 'anna',
    at: '2026-11-15T00:00:00.000Z',
    erases: true,
  };
  const compliance = async () => {
    return { denials: [rule], holds: [{ ...rule, erases: false }], complaints: 0, takedowns: 1 };
  };
  const { code, out } = await orb(['audit', 'rules'], { answers: { compliance } });
  assert.equal(code, 0);
  assert.deepEqual(
    out.split('\n').map((line) => line.slice(0, 9)),
    ['deny  url', 'hold  url', ''],
  );
});

test('block --release: asked again from now on; of what is not denied ends with 1', async () => {
  const lift = async () => ({ subject: SUBJECT, seq: 4 });
  const argv = ['block', '--host', 'a.example', '--release', '--reason', 'a slip'];
  assert.match((await orb(argv, { answers: { lift } })).out, /may be asked for again.* line 4 /s);
  const none = async () => ({ subject: SUBJECT, seq: 5, refused: 'no such denial is in force' });
  const refused = await orb(argv, { answers: { lift: none } });
  assert.deepEqual([refused.code, /no such denial/.test(refused.out)], [1, true]);
});
