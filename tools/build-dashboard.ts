/**
 * Builds the dashboard with vite: in memory, for whoever serves it, and into dist/dashboard for
 * the package. Run by itself it writes, and says how large the files are.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pages = join(root, 'src', 'edge', 'dashboard', 'pages');

export async function buildDashboard(): Promise<ReadonlyMap<string, Uint8Array>> {
  const result = await build({
    ...{ root: pages, base: '/', configFile: false, envDir: false, logLevel: 'warn' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      ...{ write: false, target: 'es2022', modulePreload: false, reportCompressedSize: false },
      assetsInlineLimit: 0,
      license: { fileName: 'assets/licenses.txt' },
    },
  });
  const { output } = result as Rolldown.RolldownOutput;
  return new Map(
    output.map((file) => {
      const content = file.type === 'chunk' ? file.code : file.source;
      return [`/${file.fileName}`, Buffer.from(content as string)];
    }),
  );
}

export async function writeDashboard(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  for (const [path, bytes] of await buildDashboard()) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), bytes);
    const packed = gzipSync(bytes).length.toLocaleString('en');
    const whole = bytes.length.toLocaleString('en');
    process.stdout.write(`${path.padEnd(32)}${whole.padStart(9)} bytes, gzip ${packed}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeDashboard(join(root, 'dist', 'dashboard'));
}
