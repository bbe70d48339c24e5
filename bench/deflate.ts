/**
 * How a body becomes small before it goes to a bucket or an archive: our deflate beside zlib's
 * level 1 and zstd's, each body by itself, in one run over the same real pages
 * (tools/corpus.ts) up to 32 KB.
 *
 *   npm run bench -- deflate [--pages N]
 */
import * as zlib from 'node:zlib';
import { denseMember, packedMember } from '../src/archive/gzip-member.ts';
import { hasZstd } from '../src/content/index.ts';
import { corpusPages } from '../tools/corpus.ts';
import { type Emit, type Say, sayFor } from './measure.ts';

const BYTES_MAX = 32 * 1024;
const ROUNDS = 5;

type Contestant = (body: Uint8Array) => Uint8Array;

const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 16 * 1024 };
const CONTESTANTS: Readonly<Record<string, Contestant>> = {
  quick: (body) => packedMember([body]),
  dense: (body) => denseMember([body]),
  zlib1: (body) => zlib.gzipSync(body, { level: 1, chunkSize: 16 * 1024 }),
  ...(hasZstd && {
    zstd1: (body: Uint8Array) =>
      zlib.zstdCompressSync(body, { ...ZSTD, pledgedSrcSize: body.length }),
  }),
};

export async function run(args: string[], emit: Emit): Promise<void> {
  const given = args.indexOf('--pages');
  const bodies = corpusPages(given < 0 ? 600 : Number(args[given + 1]))
    .map(({ body }) => body)
    .filter((body) => body.length <= BYTES_MAX);
  if (bodies.length === 0) throw new Error('no corpus here: run `npm run corpus` first');
  const say = sayFor('deflate', emit);
  say('pages', bodies.length, 'pages');
  say('mean_page', bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length, 'bytes');
  for (const [name, contestant] of Object.entries(CONTESTANTS)) {
    measure(name, contestant, bodies, say);
  }
}

/** The best of some rounds after one to warm up, in CPU: neighbours on the machine count little. */
function measure(
  name: string,
  contestant: Contestant,
  bodies: readonly Uint8Array[],
  say: Say,
): void {
  let best = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    bytes = 0;
    const from = process.cpuUsage();
    for (const body of bodies) bytes += contestant(body).length;
    const { user, system } = process.cpuUsage(from);
    if (round > 0) best = Math.min(best, (user + system) / bodies.length);
  }
  say(`${name}_time`, best, 'µs/page');
  say(`${name}_bytes`, bytes / bodies.length, 'bytes/page');
}
