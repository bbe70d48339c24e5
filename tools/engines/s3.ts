/**
 * An S3 server: Versity's gateway over a folder, built by `go install`.
 *
 * Why this one: a single program without cgo, maintained, made for the whole of S3's API over
 * plain files, with the conditional writes that content-addressed bodies want, and one module
 * that can be installed by its version.
 * Metadata go to files beside the bodies, so that no extended attributes are needed.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { goInstall, onPath } from './obtain.ts';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const [ACCESS, SECRET, BUCKET] = ['orb-live', 'orb-live-secret', 'bodies'];
const ANSWER_MS = 1_000;

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
    const [files, sidecar, versions] = ['files', 'sidecar', 'versions'].map((name) =>
      join(site.dir, name),
    ) as [string, string, string];
    await mkdir(join(files, BUCKET), { recursive: true });
    await mkdir(sidecar);
    await mkdir(versions);
    const flags = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive'];
    return {
      address: `http://${ACCESS}:${SECRET}@127.0.0.1:${port}/${BUCKET}`,
      commands: [
        {
          ...{ name: 's3', program: join(site.programs, 'versitygw') },
          args: [...flags, 'posix', '--sidecar', sidecar, '--versioning-dir', versions, files],
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
