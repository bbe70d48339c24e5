/**
 * How programs are had without root: each way fills a folder of the shelf once.
 *
 *   debian()  `apt-get download`, unpacked with `dpkg -x`       npmPackage()  a package of npm
 *   maven()   jars with all that they need, by `mvn`            goInstall()   built from source
 *
 * Where from is for the tools and their own configuration to say: no host stands here. Whether
 * what came is what was meant is checked by each tool, by signature or checksum.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { NotHad, type Shelf } from './engine.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 << 20;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
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

/** A shelf in a folder. Two runs at once fill two folders, and the first one stays. */
export function shelfIn(dir: string): Shelf {
  return {
    async keep(name, fill) {
      const kept = join(dir, name);
      if (existsSync(kept)) return kept;
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
    },
  };
}

/** The root of a tree with these packages in it, but not those that they need: name them, too. */
export function debian(shelf: Shelf, name: string, packages: readonly string[]): Promise<string> {
  return shelf.keep(`debian-${name}`, (dir) =>
    had(`the Debian packages ${packages.join(', ')}`, 'apt-get', async () => {
      await run('apt-get', ['download', ...packages], { cwd: dir });
      for (const file of await readdir(dir)) {
        if (!file.endsWith('.deb')) continue;
        await run('dpkg', ['-x', join(dir, file), dir]);
        await rm(join(dir, file));
      }
    }),
  );
}

/** The folder in which `node_modules` has the package; `spec` as npm takes it, with its version. */
export function npmPackage(shelf: Shelf, name: string, spec: string): Promise<string> {
  return shelf.keep(`npm-${name}`, (dir) =>
    had(`the npm package ${spec}`, 'npm', async () => {
      const flags = ['--no-audit', '--no-fund', '--no-save'];
      await run('npm', ['install', '--prefix', dir, ...flags, spec], { cwd: dir });
    }),
  );
}

/** A folder of jars: these `group:artifact:version` and whatever they need. */
export function maven(shelf: Shelf, name: string, jars: readonly string[]): Promise<string> {
  return shelf.keep(`maven-${name}`, (dir) =>
    had(`the jars ${jars.join(', ')}`, 'mvn', async () => {
      await writeFile(join(dir, 'pom.xml'), pomOf(jars));
      const goal = 'dependency:copy-dependencies';
      await run('mvn', ['-q', '-B', goal, `-DoutputDirectory=${dir}`], { cwd: dir });
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

/** The folder with the program of a Go module, `path@version`. */
export function goInstall(shelf: Shelf, name: string, module: string): Promise<string> {
  return shelf.keep(`go-${name}`, (dir) =>
    had(`the Go module ${module}`, 'go', async () => {
      await run('go', ['install', module], { env: { GOBIN: dir } });
    }),
  );
}

async function had(what: string, tool: string, work: () => Promise<void>): Promise<void> {
  if (onPath(tool) === undefined) throw new NotHad(`${what}: there is no ${tool} here to ask`);
  try {
    await work();
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    throw new NotHad(`${what} cannot be had: ${said || (error as Error).message}`, error);
  }
}
