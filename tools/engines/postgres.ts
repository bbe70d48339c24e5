/**
 * PostgreSQL: Debian's, installed or unpacked. It refuses to run as root, so root runs it as
 * somebody else; that one must be able to enter the folder.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type Engine, NotHad, type Shelf, type Site, type User } from './engine.ts';
import { debian, run } from './obtain.ts';

/** With the libraries that a small system lacks. */
const PACKAGES = [
  ...['postgresql-15', 'postgresql-client-15', 'libpq5', 'libllvm14', 'libldap-2.5-0'],
  ...['libicu72', 'libxml2', 'libsasl2-2', 'libssl3', 'liblz4-1', 'libzstd1'],
];
const PASSWORD = 'orb-live';
const ANSWER_MS = 1_000;

export const postgres: Engine = {
  name: 'postgres',
  variable: 'ORB_LIVE_POSTGRES',
  obtain,
  async plan(site) {
    const port = await site.port();
    const user = nobodyIfRoot(site.dir);
    const cluster = await initialise(site, user);
    return {
      address: `postgres://orb:${PASSWORD}@127.0.0.1:${port}/postgres`,
      commands: [
        {
          ...{ name: 'postgres', program: join(site.programs, 'bin', 'postgres') },
          args: ['-D', cluster, ...settings({ port, unix_socket_directories: '' })],
          ...{ env: libraries(site.programs), stopSignal: 'SIGINT' },
          ...(user ? { user } : {}),
        },
      ],
    };
  },
  async answers(address) {
    const client = new pg.Client({
      ...{ connectionString: address, connectionTimeoutMillis: ANSWER_MS },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
    } finally {
      await client.end();
    }
  },
};

async function obtain(shelf: Shelf): Promise<string> {
  const installed = globSync('/usr/lib/postgresql/*/bin/postgres').sort(byVersion).at(-1);
  if (installed !== undefined) return dirname(dirname(installed));
  const root = await debian(shelf, 'postgresql-15', PACKAGES);
  return join(root, 'usr', 'lib', 'postgresql', '15');
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** An empty cluster in a folder that belongs to its user, with a password that is asked for. */
async function initialise(site: Site, user: User | undefined): Promise<string> {
  const [cluster, word] = [join(site.dir, 'cluster'), join(site.dir, 'password')];
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(word, `${PASSWORD}\n`, { mode: 0o600 });
  if (user !== undefined) {
    for (const path of [site.dir, cluster, word]) await chown(path, user.uid, user.gid);
  }
  const args = ['-D', cluster, '-U', 'orb', `--pwfile=${word}`, '--auth=scram-sha-256'];
  await run(
    join(site.programs, 'bin', 'initdb'),
    [...args, '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: site.dir, env: libraries(site.programs) },
  );
  return cluster;
}

function settings(given: Record<string, string | number>): string[] {
  const all = { listen_addresses: '127.0.0.1', max_wal_size: '2GB', ...given };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Unpacked packages bring their libraries along; installed ones find theirs. */
function libraries(programs: string): Record<string, string> {
  const places = globSync(join(programs, '..', '..', '*-linux-gnu'));
  const isUnpacked = !programs.startsWith('/usr/lib/');
  return isUnpacked && places.length > 0 ? { LD_LIBRARY_PATH: places.join(':') } : {};
}

function nobodyIfRoot(dir: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (let path = dirname(dir); ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) {
      const cure = 'set ORB_ENGINES_DIR to a folder that everybody may enter';
      throw new NotHad(
        `PostgreSQL does not run as root, and others may not enter ${path}: ${cure}`,
      );
    }
    if (path === dirname(path)) break;
  }
  return userNamed('postgres') ?? userNamed('nobody') ?? { uid: 65_534, gid: 65_534 };
}

function userNamed(name: string): User | undefined {
  if (!existsSync('/etc/passwd')) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8').match(
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'),
  );
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : undefined;
}
