/**
 * A web of real pages: the HTML documentation in three Debian packages, served by nginx on
 * loopback addresses that stand for hosts, on a core of its own.
 *
 *   127.0.1.1   openjdk-17-doc       10,140 pages    27 KB
 *   127.0.1.2   postgresql-doc-15     1,168 pages    14 KB
 *   127.0.1.3 … python3.11-doc          530 pages    96 KB, and as many sources in plain text
 *
 * The copies of the last differ by a comment with the host's number, so that no body is stored
 * for another's. With twelve hosts the mean page is like the one that issue 2 measures.
 *
 * nginx writes down every request: what was found, and what was found twice, is counted there
 * and not by the crawler. Answers are not compressed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pinned } from './in-child.ts';

const DOCS = join('/usr', 'share', 'doc');
const ROOTS = {
  java: join(DOCS, 'openjdk-17-doc'),
  postgres: join(DOCS, 'postgresql-doc-15', 'html'),
  python: join(DOCS, 'python3.11-doc', 'html'),
} as const;
/** The root of the first only refreshes to this; a page that is its own folder's is one page. */
const START = { java: '/api/index.html', other: '/index.html' } as const;
const NGINX = '/usr/sbin/nginx';
const START_MS_MAX = 5_000;

export interface DocsWeb {
  readonly seeds: readonly string[];
  /** The folder that each host serves. */
  readonly roots: ReadonlyMap<string, string>;
  /** What was asked since the last call. */
  takeLog(): DocsRequest[];
  close(): Promise<void>;
}

export interface DocsRequest {
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
  readonly type: string;
}

/** Why there can be no such web here; undefined when there can. */
export function docsWebMissing(): string | undefined {
  const lacks = [
    ...(existsSync(NGINX) ? [] : ['nginx-light']),
    ...(existsSync(ROOTS.java) ? [] : ['openjdk-17-doc']),
    ...(existsSync(ROOTS.postgres) ? [] : ['postgresql-doc-15']),
    ...(existsSync(ROOTS.python) ? [] : ['python3.11-doc']),
  ];
  if (lacks.length === 0) return undefined;
  return `the docs web needs Debian packages: apt-get install ${lacks.join(' ')}`;
}

export async function openDocsWeb(hosts: number, cores: string | undefined): Promise<DocsWeb> {
  const missing = docsWebMissing();
  if (missing !== undefined) throw new Error(missing);
  const folder = await mkdtemp(join(tmpdir(), 'orb-docs-'));
  const folders = foldersOf(hosts, folder);
  const addresses = folders.map((_, i) => `127.0.1.${i + 1}`);
  const port = await freePort();
  const log = join(folder, 'access.log');
  writeFileSync(join(folder, 'nginx.conf'), configOf(folder, addresses, folders, port));
  const nginx = start(folder, cores);
  const close = async () => {
    nginx.kill('SIGTERM');
    await ended(nginx);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(`http://${addresses[0]}:${port}/`, nginx, folder);
  } catch (error) {
    await close();
    throw error;
  }
  const hostsOf = addresses.map((address) => `${address}:${port}`);
  let read = readFileSync(log).length;
  return {
    seeds: hostsOf.map((host, i) => `http://${host}${startOf(folders[i] as string)}`),
    roots: new Map(hostsOf.map((host, i) => [host, folders[i] as string])),
    takeLog: () => {
      const bytes = readFileSync(log);
      const lines = bytes.subarray(read).toString('latin1').split('\n').slice(0, -1);
      read = bytes.length;
      return lines.map(requestFrom);
    },
    close,
  };
}

/** The first two packages once, the third for every further host. */
function foldersOf(hosts: number, folder: string): string[] {
  const once = [ROOTS.java, ROOTS.postgres].slice(0, Math.max(0, hosts - 1));
  const copies = Array.from({ length: hosts - once.length }, (_, i) => {
    const copy = join(folder, `python-${i + 1}`);
    cpSync(ROOTS.python, copy, { recursive: true, dereference: true });
    for (const name of readdirSync(copy, { recursive: true }) as string[]) {
      const mark = name.endsWith('.html') ? `\n<!-- host ${i} -->\n` : `\n.. host ${i}\n`;
      if (/\.(html|txt)$/.test(name)) appendFileSync(join(copy, name), mark);
    }
    return copy;
  });
  return [...once, ...copies];
}

export function startOf(root: string): string {
  return root === ROOTS.java ? START.java : START.other;
}

function configOf(
  folder: string,
  addresses: readonly string[],
  roots: readonly string[],
  port: number,
): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const isRoot = process.getuid?.() === 0;
  return `
${isRoot ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 4096; }
http {
  types {
    text/html html; text/plain txt; text/css css; text/xml xml;
    application/javascript js; image/png png; image/gif gif; image/svg+xml svg; image/jpeg jpg;
  }
  default_type application/octet-stream;
  charset utf-8;
  log_format line '$server_addr:$server_port\t$request_uri\t$status\t'
    '$body_bytes_sent\t$sent_http_content_type';
  access_log ${folder}/access.log line;
  sendfile on; tcp_nodelay on; keepalive_requests 1000000;
  ${temp.map((name) => `${name}_temp_path ${folder}/temp-${name};`).join(' ')}
  ${addresses.map((a, i) => `server { listen ${a}:${port}; root ${roots[i]}; }`).join('\n  ')}
}
`;
}

function start(folder: string, cores: string | undefined): ChildProcess {
  const command = pinned(cores, [NGINX, '-p', folder, '-c', join(folder, 'nginx.conf')]);
  const [program = '', ...args] = command;
  return spawn(program, args, { stdio: 'ignore' });
}

async function listening(url: string, nginx: ChildProcess, folder: string): Promise<void> {
  for (const until = Date.now() + START_MS_MAX; Date.now() < until; await pause(20)) {
    if (nginx.exitCode !== null) break;
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
  }
  const said = existsSync(join(folder, 'error.log'))
    ? readFileSync(join(folder, 'error.log'), 'utf8')
    : '';
  throw new Error(`nginx does not answer at ${url}: ${said.slice(0, 500)}`);
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

function requestFrom(line: string): DocsRequest {
  const [host = '', path = '', status = '', bytes = '', type = ''] = line.split('\t');
  const url = `http://${host}${path}`;
  return { url, status: Number(status), bytes: Number(bytes), type: type.split(';')[0] as string };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.1.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
