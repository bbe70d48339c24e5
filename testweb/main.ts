/**
 * The test web as a process: `node testweb/main.ts --hosts 500 --pages 50000 --seed 7`.
 *
 * Prints one JSON line with its ports when it is ready. Ends on SIGTERM or SIGINT, and with
 * --parent also when its standard input closes, so that it never outlives a harness that died.
 */
import { parseArgs } from 'node:util';
import { openControl } from './control.ts';
import { BENIGN, type Feature, HARSH, type Profile, type WebOptions } from './options.ts';
import { parseQuarters } from './quarters/index.ts';
import { serveWeb } from './serve.ts';
import { openWeb } from './web.ts';

const FLAGS = {
  seed: { type: 'string', default: '1' },
  hosts: { type: 'string', default: '20' },
  pages: { type: 'string', default: '1000' },
  skew: { type: 'string' },
  hot: { type: 'string' },
  /** A profile (plain, honest, hostile), or names with commas; `honest,tls` adds to a profile. */
  features: { type: 'string', default: 'honest' },
  'body-bytes': { type: 'string' },
  'hosts-per-address': { type: 'string' },
  'patience-sec': { type: 'string' },
  'slow-ms': { type: 'string' },
  domains: { type: 'string' },
  /** Hosts where a crawler has to judge: `calendar=2,encyclopaedia=1x50000` (quarters/). */
  quarters: { type: 'string', default: '' },
  scheme: { type: 'string', default: 'http' },
  port: { type: 'string', default: '0' },
  'control-port': { type: 'string', default: '0' },
  agent: { type: 'string', default: 'Orbweaver' },
  tls: { type: 'boolean', default: false },
  parent: { type: 'boolean', default: false },
} as const;

type Flags = ReturnType<typeof readFlags>;

function readFlags() {
  return parseArgs({ options: FLAGS, strict: true }).values;
}

function optionsOf(flags: Flags): WebOptions {
  const optional = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: Number(value) };
  return {
    seed: Number(flags.seed),
    hosts: Number(flags.hosts),
    pages: Number(flags.pages),
    features: featuresOf(flags.features),
    scheme: flags.scheme === 'https' ? 'https' : 'http',
    ...optional('skew', flags.skew),
    ...optional('hot', flags.hot),
    ...optional('bodyBytes', flags['body-bytes']),
    ...optional('hostsPerAddress', flags['hosts-per-address']),
    ...optional('patienceSec', flags['patience-sec']),
    ...optional('slowMsMax', flags['slow-ms']),
    ...optional('domains', flags.domains),
    quarters: parseQuarters(flags.quarters),
  };
}

function featuresOf(text: string): Profile | Feature[] {
  if (text === 'plain' || text === 'honest' || text === 'hostile') return text;
  const known: readonly string[] = [...BENIGN, ...HARSH];
  return text.split(',').flatMap((name) => {
    if (name === 'honest') return [...BENIGN];
    if (!known.includes(name)) throw new RangeError(`no feature '${name}': ${known.join(', ')}`);
    return [name as Feature];
  });
}

async function main(): Promise<void> {
  const flags = readFlags();
  const web = openWeb(optionsOf(flags));
  const { tls, agent } = flags;
  const served = await serveWeb(web, { port: Number(flags.port), tls, agent });
  const control = await openControl(served, Number(flags['control-port']));
  const stop = (): void => process.exit(0);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (flags.parent) process.stdin.on('end', stop).on('error', stop).resume();
  const { port, tlsPort, dnsPort, ca } = served;
  const start = served.web.urlOf(0, 0);
  const ready = { ready: true, pid: process.pid, start, port, tlsPort, dnsPort, ca };
  process.stdout.write(`${JSON.stringify({ ...ready, controlPort: control.port })}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`testweb: ${error.message}\n`);
  process.exit(1);
});
