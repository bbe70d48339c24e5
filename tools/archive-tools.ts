/**
 * The field's own tools, to hold our archives against: fetched from their registries into
 * .cache/archive/ (git-ignored), with the machine's own pip, Maven and npm and their settings.
 *
 *   python/   warcio (PyPI)          jwarc.jar  (Maven Central)        replay/  replaywebpage (npm)
 *
 *   node tools/archive-tools.ts      fetches what is not there yet, and says what cannot be had
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WARCIO = 'warcio==1.8.1';
const JWARC = 'org.netpreserve:jwarc:0.33.0';
const REPLAY = 'replaywebpage@2.4.6';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const toolFolder = join(root, '.cache', 'archive');

export interface ArchiveTools {
  /** `warcio check FILE…`; undefined when it cannot be had. */
  readonly warcio: ToolRun | undefined;
  readonly jwarc: ToolRun | undefined;
  /** Where `ui.js` and `sw.js` are. */
  readonly replay: string | undefined;
}

export type ToolRun = (files: readonly string[]) => { code: number | null; said: string };

export function archiveTools(): ArchiveTools {
  mkdirSync(toolFolder, { recursive: true });
  return { warcio: warcio(), jwarc: jwarc(), replay: replay() };
}

function warcio(): ToolRun | undefined {
  const at = join(toolFolder, 'python');
  const module = join(at, 'warcio', 'cli.py');
  const args = ['-m', 'pip', 'install', '--quiet', '--target', at, WARCIO];
  if (!existsSync(module) && !fetched('warcio', 'python3', args)) return undefined;
  const env = { ...process.env, PYTHONPATH: at };
  return (files) => told('python3', ['-m', 'warcio.cli', 'check', ...files], env);
}

function jwarc(): ToolRun | undefined {
  const jar = join(toolFolder, 'jwarc.jar');
  const copied = join(toolFolder, `jwarc-${JWARC.split(':')[2]}.jar`);
  const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=${JWARC}`];
  const args = [...copy, `-DoutputDirectory=${toolFolder}`];
  if (!existsSync(jar)) {
    if (!fetched('jwarc', 'mvn', args) || !existsSync(copied)) return undefined;
    renameSync(copied, jar);
  }
  return (files) => told('java', ['-jar', jar, 'validate', ...files]);
}

function replay(): string | undefined {
  const at = join(toolFolder, 'replay');
  const folder = join(at, 'package');
  if (existsSync(join(folder, 'sw.js'))) return folder;
  mkdirSync(at, { recursive: true });
  if (!fetched('replaywebpage', 'npm', ['pack', '--silent', REPLAY], at)) return undefined;
  const packed = readdirSync(at).find((name) => name.endsWith('.tgz'));
  if (packed === undefined || !fetched('replaywebpage', 'tar', ['xzf', packed], at))
    return undefined;
  return folder;
}

/** Whether a command did what it should; what went wrong is said loudly. */
function fetched(name: string, command: string, args: readonly string[], cwd = root): boolean {
  const { status, stderr, stdout, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return true;
  const why = error?.message ?? `${stderr}${stdout}`.trim().split('\n').at(-1) ?? '';
  process.stderr.write(`NOT TO BE HAD: ${name}, because ${command} failed: ${why}\n`);
  return false;
}

function told(command: string, args: readonly string[], env = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...{ env, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
  return { code: status, said: `${stdout}${stderr}`.trim() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tools = archiveTools();
  for (const [name, tool] of Object.entries(tools)) {
    process.stdout.write(`${name}: ${tool === undefined ? 'cannot be had' : 'there'}\n`);
  }
}
