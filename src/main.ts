/**
 * The program: the command line (edge/cli/) in the real world. `bin/orb.js` calls main().
 *
 * With compose.ts, the only file that knows the process, its streams and the adapters. What is
 * behind a door is loaded when the door is used: who asks for a page of help waits for no crawler.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isCrawlFolder, pathsOf } from './adapters/folder/crawl-folder.ts';
import { diskError } from './adapters/folder/disk.ts';
import { FolderNewFiles } from './adapters/folder/new-files.ts';
import { systemClock } from './adapters/node/clock.ts';
import { optimiseLate } from './adapters/node/late-optimising.ts';
import { diskSecretFiles } from './adapters/node/secret-files.ts';
import { keepMemorySmall } from './adapters/node/small-memory.ts';
import { CrawlError } from './base/errors.ts';
import type { Settings } from './config/index.ts';
import { runCli } from './edge/cli/index.ts';
import type { Input, Output, OutputFile, StopSignal, World } from './edge/cli/world.ts';
import type { Outcome } from './fetch/index.ts';
import type { ArchiveFiles } from './ports/archive.ts';
import type { KeyFiles } from './ports/key-files.ts';
import type { ParserPool } from './ports/parser-pool.ts';
import type { RemoteCrawl } from './ports/remote-crawl.ts';

const SECRET_BYTES = 32;

export async function main(): Promise<void> {
  keepMemorySmall();
  optimiseLate();
  process.exitCode = await runCli(realWorld());
}

function realWorld(): World {
  const cwd = process.cwd();
  const at = (path: string) => resolve(cwd, path);
  const clock = systemClock();
  return {
    ...{ argv: process.argv.slice(2), env: process.env, cwd, version: version(), clock },
    ...{ stdin: inputOf(process.stdin), stdout: outputOf(process.stdout), stderr: process.stderr },
    onSignal,
    openCrawl: async (request) => (await import('./compose.ts')).openCrawl(request),
    joinCluster: async (request) => (await import('./compose-cluster.ts')).joinCluster(request),
    openFetcher: async (settings, hooks) =>
      (await import('./compose-fetcher.ts')).openFetcher(settings, hooks),
    openHand: async (role, settings, hooks) =>
      (await import('./compose-hands.ts')).openHand(role, settings, hooks),
    readCluster: async (settings) =>
      (await import('./compose-cluster-read.ts')).readCluster(settings),
    openRing: async (request) => (await import('./compose-ring.ts')).openRing(request),
    askRing: async (dir) => (await import('./compose-ring-ask.ts')).askRing(at(dir)),
    ringKeyOf: async (dir) => (await import('./compose-ring-folder.ts')).ringKeyOf(at(dir)),
    openRemoteCrawl,
    listen: async (site, place) => {
      (await import('./adapters/node/main-first.ts')).keepMainFirst();
      return (await import('./adapters/api/index.ts')).listenWeb(site, place);
    },
    newSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
    openDemoWeb: async () => (await import('./demo-web.ts')).openDemoWeb(),
    readFolder: async (dir) => (await import('./compose-read.ts')).readFolder(at(dir)),
    isCrawl: (dir) => isCrawlFolder(at(dir)),
    findCrawls: (parent) => findCrawls(at(parent), parent),
    readText: (path) => readText(at(path)),
    readLines: (path) => readLines(at(path)),
    openFile: (path) => openFile(at(path)),
    newFiles: new FolderNewFiles(cwd),
    archiveOf: (dir) => archiveIn(pathsOf(at(dir)).warc),
    keyFiles: keyFilesIn(cwd),
    secretFiles: diskSecretFiles(cwd),
    ask: askAs,
    hostname: hostname(),
    machine: async (question) =>
      (await import('./adapters/node/machine.ts')).systemMachine().facts(question),
    checkEngines: async (settings) =>
      (await import('./compose-cluster-check.ts')).checkEngines(settings),
    checkRing: async (dir, settings) =>
      (await import('./compose-ring-check.ts')).checkRing(at(dir), settings),
    findBrowser: async (settings) =>
      (await import('./compose-ports.ts')).openBrowser(settings).find(),
    openReader,
    checkPlugins: async (settings) => (await import('./compose-ports.ts')).openPlugins(settings),
  };
}

function openReader(settings: Settings): Pick<ParserPool, 'digest'> {
  let reader: Promise<ParserPool> | undefined;
  const open = async () => (await import('./compose-ports.ts')).openReader(settings);
  return {
    digest: async (page) => {
      reader ??= open();
      return (await reader).digest(page);
    },
  };
}

function openRemoteCrawl(url: string, token: string | undefined): RemoteCrawl {
  const open = async () =>
    (await import('./adapters/api/index.ts')).openRemoteCrawl({ url, token });
  return {
    begin: async (call, key) => (await open()).begin(call, key),
    job: async (id) => (await open()).job(id),
  };
}

function archiveIn(folder: string): ArchiveFiles {
  const open = async () => (await import('./adapters/folder/warc-mend.ts')).folderArchive(folder);
  return {
    list: async () => (await open()).list(),
    read: async function* (name) {
      yield* (await open()).read(name);
    },
  };
}

function keyFilesIn(folder: string): KeyFiles {
  const open = async () => (await import('./adapters/node/key-files.ts')).diskKeyFiles(folder);
  return {
    read: async (path) => (await open()).read(path),
    create: async (path) => (await open()).create(path),
  };
}

async function askAs(url: string, accept: string, settings: Settings): Promise<Outcome> {
  const { askOnce } = await import('./adapters/node/ask-once.ts');
  const { addressRulesFrom, identityFrom } = await import('./crawl/plan.ts');
  const { userAgent } = await import('./fetch/index.ts');
  const { dns, proxy, insecure: acceptBadTls } = settings.network;
  const headers = { 'user-agent': userAgent(identityFrom(settings)), accept };
  return askOnce(url, { headers, addresses: addressRulesFrom(settings), dns, proxy, acceptBadTls });
}

/** One level above this file in the sources, two in the package. */
function version(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')).version;
    } catch {}
  }
  return '0.0.0';
}

function onSignal(handler: (signal: StopSignal) => void): () => void {
  const onInterrupt = () => handler('SIGINT');
  const onTerminate = () => handler('SIGTERM');
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  return () => process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
}

function inputOf(stream: Readable & { isTTY?: boolean }): Input {
  const isTTY = stream.isTTY === true;
  return { isTTY, lines: () => createInterface({ input: stream, crlfDelay: Infinity }) };
}

/** Writes with back-pressure; a reader who has gone is an `EPIPE`, not a crash. */
function outputOf(stream: Writable & { isTTY?: boolean; columns?: number }): Output {
  let broken: Error | undefined;
  stream.on('error', (error) => {
    broken ??= error;
  });
  return {
    isTTY: stream.isTTY === true,
    ...(stream.columns !== undefined && { columns: stream.columns }),
    write: (text) =>
      new Promise((done, fail) => {
        if (broken !== undefined) fail(broken);
        else stream.write(text, (error) => (error ? fail(error) : done()));
      }),
  };
}

async function findCrawls(parent: string, name: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const isOne = entry.isDirectory() && (await isCrawlFolder(join(parent, entry.name)));
    if (isOne) found.push(join(name, entry.name));
  }
  return found.sort();
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

async function* readLines(path: string): AsyncIterable<string> {
  try {
    yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CrawlError {
  const what = `${path} cannot be read: ${(error as Error).message}`;
  return new CrawlError('E_USAGE', what, 'check the name and your right to read it', error);
}

async function openFile(path: string): Promise<OutputFile> {
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw diskError(error, path);
  }
  const stream = createWriteStream(path);
  const output = outputOf(stream);
  await new Promise<void>((done, fail) => {
    stream.once('open', () => done());
    stream.once('error', (error) => fail(diskError(error, path)));
  });
  return { ...output, close: () => new Promise((done) => stream.end(() => done())) };
}
