/**
 * The promises of the `Archive` port, proved of any adapter.
 *
 *   archiveContract('folder', { open, crash })
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchanged } from '../archive/index.ts';
import { checkWarc } from '../archive/warc-check.testkit.ts';
import { fieldOf, httpMessageIn, targetOf } from '../archive/warc-read.ts';
import type { Archive } from './archive.ts';
import { stepUntilKilled } from './crash.contract.ts';

export interface ArchiveCase {
  readonly archive: Archive;
  /** The files that are finished, oldest first. */
  files(): Promise<readonly Buffer[]>;
  /** The same archive in another run, after close(). */
  reopen(): Promise<Archive>;
}

export interface ArchiveEngine {
  open(): Promise<ArchiveCase>;
  /** Runs putUntilKilled() in a child killed after some steps, and opens what it left. */
  crash(steps: number): Promise<ArchiveCase & { readonly steps: number }>;
}

const EXCHANGES_PER_STEP = 8;
const SECOND = 1_000;

/** The child's side of `crash`. */
export function putUntilKilled(archive: Archive): Promise<never> {
  return stepUntilKilled((step) => archive.put(stepOf(step)));
}

function stepOf(step: number): Exchanged[] {
  const first = step * EXCHANGES_PER_STEP;
  return Array.from({ length: EXCHANGES_PER_STEP }, (_, i) => exchangedNo(first + i));
}

/** The nth exchange: bodies of all lengths up to 40 KB, every fifth that of the one before. */
export function exchangedNo(nth: number, url = `http://h${nth % 7}.test/${nth}`): Exchanged {
  const seed = nth % 5 === 4 ? nth - 1 : nth;
  const body = Buffer.alloc((seed * 7_919) % 40_000, `<p>${seed} `);
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-Nth: ${nth}\r\n\r\n`;
  const timing = { startedAt: Date.UTC(2026, 0, 1) + nth * SECOND, firstByteMs: 1, wholeMs: 2 };
  return {
    ...{ url, body, asked: { accept: '*/*' }, about: { nth: String(nth) } },
    answer: {
      ...{ kind: 'answered', status: 200, head, timing, httpVersion: '1.1' },
      ...{ headers: { 'content-length': String(body.length) }, remoteAddress: '192.0.2.1' },
    },
  };
}

/** The numbers of the exchanges in the files; every file passes the strict check. */
export function numbersIn(files: readonly Buffer[]): number[] {
  return files.flatMap((file) => {
    const { records, problems } = checkWarc(file);
    assert.deepEqual(problems, []);
    assert.equal(records[0]?.type, 'warcinfo');
    const abouts = records.filter(({ type }) => type === 'metadata');
    return abouts.map(({ block }) => Number(/nth: (\d+)/.exec(block.toString())?.[1]));
  });
}

export function archiveContract(name: string, engine: ArchiveEngine): void {
  describe(`${name} archive`, () => {
    it('promise 1: what was put is there in order, each body as it was or named', async () => {
      const { archive, files } = await engine.open();
      for (let step = 0; step < 5; step++) await archive.put(stepOf(step));
      await archive.close();
      const read = await files();
      assert.deepEqual(numbersIn(read), count(5 * EXCHANGES_PER_STEP));
      const mains = read.flatMap((file) => checkWarc(file).records.filter(isMain));
      for (const [nth, record] of mains.entries()) {
        const { url, body } = exchangedNo(nth);
        assert.equal(targetOf(record), url);
        if (record.type === 'response') assert.deepEqual(httpMessageIn(record)?.body, body);
        else assert.equal(nth % 5, 4, 'promise 4: only what was put before is named');
      }
      const named = mains.filter(({ type }) => type === 'revisit');
      assert.equal(named.length, mains.length / 5, 'promise 4: it is not written again');
    });

    it('promise 4: a payload of the run before is named by the first one who had it', async () => {
      const { archive, files, reopen } = await engine.open();
      for (let step = 0; step < 3; step++) await archive.put(stepOf(step));
      await archive.close();
      const again = await reopen();
      const url = 'http://other.test/copy';
      await again.put([exchangedNo(7, url), exchangedNo(500), exchangedNo(8, url)]);
      await again.close();
      const mains = (await files()).flatMap((file) => checkWarc(file).records.filter(isMain));
      const [seventh, fresh, eighth] = mains.slice(-3);
      assert.deepEqual(
        [seventh?.type, fresh?.type, eighth?.type],
        ['revisit', 'response', 'revisit'],
      );
      const first = mains[7];
      assert.ok(first && seventh);
      const of = (name: string) => fieldOf(seventh.fields, name);
      assert.equal(of('WARC-Refers-To'), fieldOf(first.fields, 'WARC-Record-ID'));
      assert.equal(of('WARC-Refers-To-Target-URI'), exchangedNo(7).url);
      assert.equal(of('WARC-Refers-To-Date'), fieldOf(first.fields, 'WARC-Date'));
    });

    it('nothing put: no file', async () => {
      const { archive, files } = await engine.open();
      await archive.put([]);
      await archive.sync();
      await archive.close();
      assert.deepEqual(await files(), []);
    });

    for (const steps of [1, 23]) {
      it(`promises 1 and 2: killed after ${steps} steps, all of them are there and whole`, async () => {
        const { archive, files, reopen, steps: done } = await engine.crash(steps);
        const kept = numbersIn(await files());
        assert.deepEqual(kept, count(kept.length), 'none is missing, none is there twice');
        assert.ok(kept.length >= done * EXCHANGES_PER_STEP, `${kept.length} of ${done} steps`);
        const next = exchangedNo(kept.length);
        await archive.put([next]);
        await archive.close();
        assert.deepEqual(numbersIn(await files()), count(kept.length + 1), 'and it goes on');
        const again = await reopen();
        await again.put([exchangedNo(kept.length - 1, 'http://other.test/copy')]);
        await again.close();
        const main = checkWarc((await files()).at(-1) ?? Buffer.alloc(0)).records.find(isMain);
        assert.equal(main?.type, 'revisit', 'promise 4: what the killed run put last is known');
      });
    }
  });
}

function isMain({ type }: { readonly type: string }): boolean {
  return type === 'response' || type === 'revisit';
}

function count(to: number): number[] {
  return Array.from({ length: to }, (_, i) => i);
}
