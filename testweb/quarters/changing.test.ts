/** Changes happen at the rates that the truth names, and validators tell of each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebAnswer } from '../exchange.ts';
import { openWeb } from '../web.ts';
import { LEAVING_FROM_MS } from './changing.ts';
import { changesBetween, lastChange } from './poisson.ts';

const DAY_MS = 86_400_000;
const AT = Date.UTC(2026, 0, 1);
const web = openWeb({
  ...{ seed: 6, hosts: 1, pages: 4, features: 'plain' },
  quarters: { changing: { pages: 400 } },
});
const host = web.specials[0]!;
const paths = [...host.quarter!.paths()];
const stateAt = (path: string, atMs: number) => web.stateAt(host.origin + path, atMs);
const ask = (path: string, atMs: number, headers: Record<string, string> = {}): WebAnswer =>
  web.answer({ url: host.origin + path, method: 'GET', headers, atMs });
const text = ({ body }: WebAnswer) =>
  body.kind === 'whole' ? Buffer.from(body.bytes).toString() : '';

test('poisson: as many changes as the rate says, and gaps that vary as much as their mean', () => {
  const days = 4_000;
  for (const ratePerDay of [0.05, 1, 20]) {
    const process = { seed: 77, ratePerDay };
    const span = (days / ratePerDay) * DAY_MS;
    const count = changesBetween(process, AT, AT + span);
    assert.ok(Math.abs(count - days) < 4 * Math.sqrt(days), `${ratePerDay}: ${count} of ${days}`);
    const pieces = Array.from({ length: 1_000 }, (_, n) =>
      changesBetween(process, AT + (span * n) / 1_000, AT + (span * (n + 1)) / 1_000),
    );
    const empty = pieces.filter((one) => one === 0).length / 1_000;
    assert.ok(Math.abs(empty - Math.exp(-4)) < 0.02, `${empty} of the pieces have none`);
  }
});

test('poisson: the last change is before the instant, and none lies between', () => {
  const process = { seed: 5, ratePerDay: 2 };
  for (let n = 0; n < 500; n++) {
    const at = AT + n * 3_333_333;
    const { atMs, version } = lastChange(process, at);
    assert.ok(atMs <= at);
    assert.equal(changesBetween(process, atMs, at), 0);
    const later = lastChange(process, at + DAY_MS);
    assert.equal(later.version > version, changesBetween(process, at, at + DAY_MS) > 0);
  }
  assert.equal(lastChange({ seed: 5, ratePerDay: 0 }, AT).version, 0);
});

test('changing: equal versions give equal bytes, others other bytes, and validators say which', () => {
  const seen = new Set<string>();
  for (const path of paths.slice(1, 200)) {
    const [now, then] = [stateAt(path, AT), stateAt(path, AT + 5 * DAY_MS)];
    if (now === undefined || then === undefined) continue;
    seen.add(now.validators);
    const [first, second] = [ask(path, AT), ask(path, AT + 5 * DAY_MS)];
    const changed = now.version !== then.version;
    assert.equal(text(first) !== text(second), changed || now.ticking, path);
    assert.equal(first.headers.etag !== undefined, ['both', 'etag'].includes(now.validators));
    const asked = {
      ...(first.headers.etag && { 'if-none-match': first.headers.etag }),
      ...(first.headers['last-modified'] && {
        'if-modified-since': first.headers['last-modified'],
      }),
    };
    const expected = changed || now.validators === 'none' ? 200 : 304;
    assert.equal(ask(path, AT + 5 * DAY_MS, asked).status, expected, path);
  }
  assert.deepEqual([...seen].sort(), ['both', 'date', 'etag', 'none']);
});

test('changing: a ticking page differs in its time alone', () => {
  const ticking = paths.filter((path) => stateAt(path, AT)?.ticking);
  assert.ok(ticking.length > 20);
  const clean = (answer: WebAnswer) => text(answer).replace(/It is \S+/, '');
  for (const path of ticking) {
    const [one, two] = [ask(path, AT), ask(path, AT + 1_000)];
    assert.notEqual(text(one), text(two));
    assert.equal(clean(one), clean(two));
  }
});

test('changing: pages vanish and move when the truth says, and none before 2030', () => {
  let gone = 0;
  let moved = 0;
  for (const path of paths) {
    assert.equal(ask(path, LEAVING_FROM_MS - 1).status, 200, path);
    const state = stateAt(path, AT);
    if (state === undefined || state.endsAtMs === Infinity) continue;
    assert.equal(ask(path, state.endsAtMs - 1).status, 200);
    const after = ask(path, state.endsAtMs);
    if (state.movedTo === undefined) gone++;
    else moved++;
    if (state.movedTo === undefined) assert.ok([404, 410].includes(after.status), path);
    else assert.equal(after.headers.location, state.movedTo);
    if (state.movedTo !== undefined) assert.equal(ask(state.movedTo, state.endsAtMs).status, 200);
  }
  assert.ok(gone > 20 && moved > 20, `${gone} gone, ${moved} moved`);
});

test('changing: the sitemap says when each page changed, at any instant', () => {
  for (const atMs of [AT, AT + 9 * DAY_MS]) {
    const xml = text(ask('/sitemap.xml', atMs));
    const rows = [...xml.matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)/g)];
    assert.equal(rows.length, 401);
    for (const [, loc, lastmod] of rows.slice(1)) {
      assert.equal(Date.parse(lastmod!), Math.floor(web.stateAt(loc!, atMs)!.changedAtMs));
    }
  }
  assert.match(text(ask('/robots.txt', AT)), /^Sitemap: http:\/\/www\.changing-1-/);
});
