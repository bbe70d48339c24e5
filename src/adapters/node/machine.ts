/**
 * The `Machine` port: what Node and the system say about themselves.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { mkdir, readdir, readFile, rm, rmdir, stat, statfs, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as zlib from 'node:zlib';
import type { Machine, MachineFacts, MachineQuestion } from '../../ports/machine.ts';

export function systemMachine(): Machine {
  return { facts };
}

async function facts({ dir, lookup: question }: MachineQuestion): Promise<MachineFacts> {
  const looked = question && (await lookUp(question.name, question.servers));
  return {
    node: process.versions.node,
    hasZstd: 'zstdCompressSync' in zlib,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    freeBytes: await freeBytes(dir),
    writeProblem: await writeProblem(dir),
    now: Date.now(),
    newestFileAt: await newestFileAt(dir),
    openFilesMax: await openFilesMax(),
    ...(looked && { lookup: looked }),
  };
}

/** Of the disk that holds the folder, or will. */
async function freeBytes(dir: string): Promise<number | undefined> {
  const at = await statfs(await existingPart(dir)).catch(() => undefined);
  return at && at.bavail * at.bsize;
}

async function existingPart(dir: string): Promise<string> {
  let at = resolve(dir);
  while (dirname(at) !== at && (await stat(at).catch(() => undefined)) === undefined) {
    at = dirname(at);
  }
  return at;
}

/** Writes a file and takes it away, with the folders that had to be made for it. */
async function writeProblem(dir: string): Promise<string> {
  const file = join(dir, `.orb-doctor-${process.pid}`);
  const top = await existingPart(dir);
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(file, 'x'.repeat(4_096));
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
    for (let at = resolve(dir); at !== top && dirname(at) !== at; at = dirname(at)) {
      await rmdir(at).catch(() => undefined);
    }
  }
}

const FILES_LOOKED_AT = 100;

async function newestFileAt(dir: string): Promise<number | undefined> {
  const names = await readdir(dir).catch(() => []);
  const times = await Promise.all(
    names.slice(0, FILES_LOOKED_AT).map((name) => stat(join(dir, name)).catch(() => undefined)),
  );
  const known = times.flatMap((one) => (one === undefined ? [] : [one.mtimeMs]));
  return known.length === 0 ? undefined : Math.max(...known);
}

async function openFilesMax(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

async function lookUp(
  name: string,
  servers: readonly string[],
): Promise<{ addresses: readonly string[]; problem: string }> {
  try {
    return { addresses: await addressesOf(name, servers), problem: '' };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { addresses: [], problem: `${name}: ${problem}` };
  }
}

async function addressesOf(name: string, servers: readonly string[]): Promise<string[]> {
  if (servers.length === 0) {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  }
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  resolver.setServers([...servers]);
  return resolver.resolve4(name);
}
