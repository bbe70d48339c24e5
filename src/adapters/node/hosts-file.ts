/**
 * The names that this machine keeps in its hosts file, read once.
 *
 * DNS queries go around that file, and a look-up through the system blocks one of the few threads
 * that files and compression need too; so the file is read here.
 */
import { readFileSync } from 'node:fs';

const HOSTS_FILE = '/etc/hosts';
const HOSTS_BYTES_MAX = 10 * 1024 * 1024;

export function readHostsFile(path = HOSTS_FILE): ReadonlyMap<string, readonly string[]> {
  try {
    return parseHosts(readFileSync(path, 'latin1').slice(0, HOSTS_BYTES_MAX));
  } catch {
    return new Map();
  }
}

export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!address) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase());
      if (known === undefined) hosts.set(name.toLowerCase(), [address]);
      else known.push(address);
    }
  }
  return hosts;
}
