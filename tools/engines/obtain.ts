/**
 * How programs are had without root: each way fills a folder of the shelf once.
 *
 *   debian()  `apt-get download`, unpacked with `dpkg -x`       npmPackage()  a package of npm
 *   maven()   jars with all that they need, by `mvn`            goInstall()   built from source
 *
 * Where from is for the tools and their own configuration to say: no host stands here. Whether
 * what came is what was meant is checked by each tool, by signature or checksum. A network that
 * fails for a moment is no reason to have no engine: each way is gone three times.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { NotHad, type Shelf } from './engine.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 << 20;
const TRIES = 3;
const PAUSE_MS = 5_000;
/** Of one try: a build from source on a small machine that has other work takes many minutes. */
const TRY_MS = 30 * 60_000;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** It is ended after so long, and that is a failure. */
  readonly timeout?: number;
}

/** Runs a program to its end; answers what it printed. */
export async function run(
  program: string,
  args: readonly string[],
  { env, ...options }: RunOptions = {},
): Promise<string> {
  const { stdout } = await execute(program, [...args], {
    ...{ ...options, env: { ...process.env, ...env }, maxBuffer: OUTPUT_BYTES_MAX },
  });
  return stdout;
}

/** Where a program is on the PATH. */
export function onPath(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((dir) => join(dir, program))
    .find((path) => existsSync(path));
}

/**
 * A shelf in a folder. Who asks for what is being filled waits for it; two processes at once fill
 * two folders, and the first one stays.
 */
export function shelfIn(dir: string): Shelf {
  const filling = new Map<string, Promise<string>>();
  return {
    async keep(name, fill) {
      if (existsSync(join(dir, name))) return join(dir, name);
      const filled = filling.get(name) ?? keepIn(dir, name, fill);
      filling.set(name, filled);
      return filled.finally(() => filling.delete(name));
    },
  };
}

async function keepIn(
  dir: string,
  name: string,
  fill: (dir: string) => Promise<void>,
): Promise<string> {
  const kept = join(dir, name);
  await mkdir(dir, { recursive: true });
  const draft = await mkdtemp(join(dir, `.${name}-`));
  try {
    await fill(draft);
    await rename(draft, kept).catch((error) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return kept;
}

/** The root of a tree with these packages in it, but not those that they need: name them, too. */
export function debian(shelf: Shelf, name: string, packages: readonly string[]): Promise<string> {
  return shelf.keep(`debian-${name}`, (dir) =>
    had(`the Debian packages ${packages.join(', ')}`, 'apt-get', async (tries) => {
      const lists = tries === 1 ? [] : await ownLists(dir);
      await run('apt-get', [...lists, 'download', ...packages], { cwd: dir, timeout: TRY_MS });
      for (const file of await readdir(dir)) {
        if (!file.endsWith('.deb')) continue;
        await run('dpkg', ['-x', join(dir, file), dir]);
        await rm(join(dir, file));
      }
    }),
  );
}

/** The lists of packages, asked for anew: the system's may be old, or there are none. */
async function ownLists(dir: string): Promise<string[]> {
  const lists = join(dir, '.lists');
  await mkdir(join(lists, 'partial'), { recursive: true });
  const options = [`Dir::State::lists=${lists}`, `Dir::Cache=${lists}`, 'APT::Sandbox::User=root'];
  const flags = options.flatMap((option) => ['-o', option]);
  await run('apt-get', [...flags, '-q', 'update'], { timeout: TRY_MS });
  return flags;
}

/** The folder in which `node_modules` has the package; `spec` as npm takes it, with its version. */
export function npmPackage(shelf: Shelf, name: string, spec: string): Promise<string> {
  return shelf.keep(`npm-${name}`, (dir) =>
    had(`the npm package ${spec}`, 'npm', async () => {
      const flags = ['--no-audit', '--no-fund', '--no-save'];
      await run('npm', ['install', '--prefix', dir, ...flags, spec], { cwd: dir, timeout: TRY_MS });
    }),
  );
}

/** A folder of jars: these `group:artifact:version` and whatever they need. */
export function maven(shelf: Shelf, name: string, jars: readonly string[]): Promise<string> {
  return shelf.keep(`maven-${name}`, (dir) =>
    had(`the jars ${jars.join(', ')}`, 'mvn', async () => {
      await writeFile(join(dir, 'pom.xml'), pomOf(jars));
      const goal = 'dependency:copy-dependencies';
      const flags = ['-q', '-B', `-DoutputDirectory=${dir}`];
      await run('mvn', [...flags, goal], { cwd: dir, timeout: TRY_MS });
    }),
  );
}

function pomOf(jars: readonly string[]): string {
  const needs = jars.map((jar) => {
    const [group, artifact, version] = jar.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return [
    '<project><modelVersion>4.0.0</modelVersion>',
    '<groupId>orbweaver</groupId><artifactId>engine</artifactId><version>1</version>',
    `<dependencies>${needs.join('')}</dependencies></project>`,
  ].join('\n');
}

/**
 * The folder with the program of a Go module, `path@version`. Without what only debuggers read:
 * a third of the size, and of what the linker does.
 */
export function goInstall(shelf: Shelf, name: string, module: string): Promise<string> {
  return shelf.keep(`go-${name}`, (dir) =>
    had(`the Go module ${module}`, 'go', async () => {
      const env = { GOBIN: dir, CGO_ENABLED: '0' };
      await run('go', ['install', '-ldflags=-s -w', module], { env, timeout: TRY_MS });
    }),
  );
}

/** Tried three times; answers `NotHad` with what the tool said last. */
export async function had(
  what: string,
  tool: string,
  work: (tries: number) => Promise<void>,
  pauseMs = PAUSE_MS,
): Promise<void> {
  if (onPath(tool) === undefined) throw new NotHad(`${what}: there is no ${tool} here to ask`);
  for (let tries = 1; ; tries++) {
    try {
      tell(`${what}: asking ${tool}${tries > 1 ? ` again, the ${tries}. time` : ''}`);
      return await work(tries);
    } catch (error) {
      const why = reasonOf(error);
      if (tries === TRIES) throw new NotHad(`${what} cannot be had: ${why}`, error);
      tell(`${what}: not yet: ${why}`);
      await pause(pauseMs);
    }
  }
}

function reasonOf(error: unknown): string {
  const { stderr, killed, message } = error as Error & { stderr?: string; killed?: boolean };
  if (killed) return `not within ${TRY_MS / 60_000} minutes`;
  return stderr?.trim().split('\n').at(-1) || message;
}

/** For whoever watches: a first run takes minutes. */
function tell(line: string): void {
  process.stderr.write(`  ${line}\n`);
}
