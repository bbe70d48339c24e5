/**
 * Builds what is published: JavaScript and types in dist/, from the sources as they are.
 *
 * `prepack` runs it, so `npm pack` and `npm publish` always carry a fresh build.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDashboard } from './build-dashboard.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
await writeDashboard(join(root, 'dist', 'dashboard'));
