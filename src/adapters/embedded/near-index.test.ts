import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { halvesOf, NearFilter, PROBES, probe, simhashFrom } from '../../content/index.ts';
import { killAfter } from '../../ports/crash.contract.ts';
import { nearIndexContract } from '../../ports/near-index.contract.ts';
import { urlKeyOf } from '../../record/index.ts';
import { EmbeddedNearIndex, Lsm } from './index.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

async function openIn(dir: string) {
  const lsm = await Lsm.open({ dir, syncAlways: false });
  const index = new EmbeddedNearIndex(lsm, new NearFilter(1 << 10));
  await index.recall();
  const close = index.close.bind(index);
  index.close = async () => {
    await close();
    await lsm.close();
  };
  return index;
}

async function scratch(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orb-near-'));
  folders.push(dir);
  return dir;
}

nearIndexContract('embedded', async () => {
  const dir = await scratch();
  const index = await openIn(dir);
  const killed = async () => {
    const script = new URL('./killed.testkit.ts', import.meta.url);
    const writes = await killAfter(300, script, [dir]);
    return { index: await openIn(dir), writes };
  };
  return { index, killed };
});

it('embedded near-index: a filter that has not met the rows yet: missed, never an error', async () => {
  const lsm = await Lsm.open({ dir: await scratch(), syncAlways: false });
  const page = { key: urlKeyOf('https://a.test/'), simhash: 0xabcdef12_34567890n, pairs: 1n };
  await new EmbeddedNearIndex(lsm).write([page], []);
  const index = new EmbeddedNearIndex(lsm);
  const asked = { ...page, key: urlKeyOf('https://b.test/') };
  assert.deepEqual(await index.find([asked]), [undefined]);
  await index.recall();
  assert.deepEqual((await index.find([asked]))[0]?.key, page.key);
  await lsm.close();
});

it('near filter: over several generations: what was added is never ruled out', () => {
  const filter = new NearFilter(64);
  for (let half = 0; half < 50_000; half++) filter.add(0, Math.imul(half, 0x9e3779b1) >>> 0);
  for (let half = 0; half < 50_000; half++) {
    assert.ok(filter.has(0, Math.imul(half, 0x9e3779b1) >>> 0));
  }
  let wrong = 0;
  for (let half = 0; half < 50_000; half++) if (filter.has(1, half)) wrong++;
  assert.ok(wrong < 500, `${wrong} of 50,000 halves of the other side`);
});

it('near filter: neighbours asked for at once: the same as one by one, each once', () => {
  const filter = new NearFilter(64);
  const halves = Array.from({ length: 2_000 }, (_, n) => Math.imul(n >> 1, 0x9e3779b1) >>> 0);
  for (const half of halves) filter.add(1, half);
  for (const half of [0, 0x7fffffff, 0x80000000, 0xffffffff, ...halves.slice(0, 200)]) {
    const values = Array.from({ length: PROBES }, (_, nth) => probe(half, nth));
    const expected = values.filter((value) => filter.has(1, value)).map((value) => value | 0);
    assert.deepEqual(filter.near(1, half).sort(), expected.sort());
  }
});

it('near: halves of a fingerprint: with the highest bits set they are no negative numbers', () => {
  for (const simhash of [1n, 0x80000000n, 0x80000000_00000001n, 2n ** 64n - 1n]) {
    const { high, low } = halvesOf(simhash);
    assert.ok(high >= 0 && low >= 0);
    assert.equal(simhashFrom(high, low), simhash);
    assert.equal(simhashFrom(high | 0, low | 0), simhash);
  }
});

it('embedded near-index: a row of several: one is taken out, the others stay as they were', async () => {
  const index = await openIn(await scratch());
  const page = (name: string, low: bigint) => {
    const key = urlKeyOf(`https://${name}.test/`);
    return { key, simhash: 0xfedcba98_00000000n | low, pairs: 0x8000000000000001n };
  };
  const kept = [page('a', 0xff000000n), page('b', 0x00ff0000n), page('c', 0x0000ff00n)];
  await index.write(kept, []);
  await index.write([], [kept[1] as (typeof kept)[0]]);
  const asked = kept.map(({ simhash, pairs }) => ({ key: urlKeyOf('https://x/'), simhash, pairs }));
  const found = await Promise.all(asked.map((one) => index.find([one])));
  assert.deepEqual(found.flat(), [kept[0], undefined, kept[2]]);
  await index.close();
});
