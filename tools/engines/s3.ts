/**
 * An S3 server: Versity's gateway over a folder, built by `go install`.
 *
 * Why this one: a single program without cgo, maintained, made for the whole of S3's API over
 * plain files, with the conditional writes that content-addressed bodies want, and one module
 * that can be installed by its version.
 * Metadata are extended attributes of the files, as in its normal use, where the file system is
 * known to have them; else files beside the bodies, five for each: four times the work.
 */
import { mkdir, statfs } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { goInstall, onPath } from './obtain.ts';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const [ACCESS, SECRET, BUCKET] = ['orb-live', 'orb-live-secret', 'bodies'];
const ANSWER_MS = 1_000;
/** Numbers of file systems with attributes for users (statfs(2)): ext, XFS, Btrfs. */
const WITH_ATTRIBUTES = new Set([0xef53, 0x58465342, 0x9123683e]);
/** tmpfs, which has them since Linux 6.6. */
const MEMORY = 0x01021994;
const MEMORY_SINCE = [6, 6] as const;

/** Its address has user, password and bucket in it; the bucket is there. */
export const s3: Engine = {
  name: 's3',
  variable: 'ORB_LIVE_S3',
  async obtain(shelf) {
    const installed = onPath('versitygw');
    if (installed !== undefined) return join(installed, '..');
    return goInstall(shelf, 'versitygw', MODULE);
  },
  async plan(site) {
    const port = await site.port();
    const [files, versions] = [join(site.dir, 'files'), join(site.dir, 'versions')];
    await mkdir(join(files, BUCKET), { recursive: true });
    await mkdir(versions);
    const metadata = await metadataFlags(site.dir);
    const flags = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive'];
    return {
      address: `http://${ACCESS}:${SECRET}@127.0.0.1:${port}/${BUCKET}`,
      commands: [
        {
          ...{ name: 's3', program: join(site.programs, 'versitygw') },
          args: [...flags, 'posix', ...metadata, '--versioning-dir', versions, files],
          env: { ROOT_ACCESS_KEY: ACCESS, ROOT_SECRET_KEY: SECRET },
        },
      ],
    };
  },
  /** Who asks without a signature is refused: by a server that answers. */
  async answers(address) {
    const { origin } = new URL(address);
    const response = await fetch(`${origin}/`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
  },
};

async function metadataFlags(dir: string): Promise<readonly string[]> {
  const { type } = await statfs(dir);
  const isMemory = type === MEMORY && isLinuxSince(MEMORY_SINCE);
  if (isMemory || WITH_ATTRIBUTES.has(type)) return [];
  const sidecar = join(dir, 'sidecar');
  await mkdir(sidecar);
  return ['--sidecar', sidecar];
}

function isLinuxSince([major, minor]: readonly [number, number]): boolean {
  const [ours = 0, oursMinor = 0] = release().split('.').map(Number);
  return ours > major || (ours === major && oursMinor >= minor);
}
