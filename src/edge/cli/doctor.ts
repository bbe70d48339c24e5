/**
 * `orb doctor`: what this machine has and lacks, with the fix (L6). Offline, unless `--lookup`
 * names a host.
 */
import { CrawlError } from '../../base/errors.ts';
import { exitCode, isClustered, type Resolution, type Settings } from '../../config/index.ts';
import { lifecycleJson, lifecycleXml } from '../../plan/index.ts';
import type { EngineCheck } from '../../ports/engine-check.ts';
import type { MachineFacts } from '../../ports/machine.ts';
import type { FoundBrowser } from '../../ports/renderer.ts';
import { DIRECTORY_PATH } from '../../sign/index.ts';
import { formatBytes, jsonLine, safeText } from './format.ts';
import type { World } from './world.ts';

export type Check = EngineCheck;

const GB = 1024 ** 3;
const NODE_LEAST = [20, 19] as const;
const CLOCK_LEAST = Date.UTC(2025, 0, 1);
const CLOCK_SLACK_MS = 86_400_000;
const OPEN_FILES_LEAST = 4_096;

export async function doctorCommand({ settings }: Resolution, world: World): Promise<number> {
  const { lookup, lifecycle } = settings.show;
  if (lifecycle !== undefined) {
    await world.stdout.write(lifecycleText(lifecycle, settings));
    return exitCode('complete');
  }
  const servers = settings.network.dns;
  const dir = settings.crawl.dir ?? '.orb';
  const facts = await world.machine({ dir, ...(lookup && { lookup: { name: lookup, servers } }) });
  const ring = await world.checkRing(dir, settings);
  const alone = ring.length > 0 ? ring : [NO_ENGINES];
  const checks = [
    ...checksOf(facts, dir),
    ...(isClustered(settings) ? await world.checkEngines(settings) : alone),
    browserCheck(await world.findBrowser(settings)),
    ...(await signingChecks(settings.agent, world)),
  ];
  const text = settings.output.json
    ? checks.map(jsonLine).join('')
    : `${checks.flatMap(checkLines).join('\n')}\n`;
  await world.stdout.write(text);
  return exitCode(checks.some(({ state }) => state === 'fail') ? 'failed' : 'complete');
}

/** For the objects of this crawl alone: others may share the bucket (B1). */
function lifecycleText(form: 'json' | 'xml', settings: Settings): string {
  const prefix = isClustered(settings) ? `${settings.cluster.name}/` : '';
  return form === 'json' ? lifecycleJson({ prefix }) : lifecycleXml({ prefix });
}

export function checksOf(facts: MachineFacts, dir: string): Check[] {
  return [
    nodeCheck(facts),
    zstdCheck(facts),
    folderCheck(facts, dir),
    spaceCheck(facts),
    filesCheck(facts),
    clockCheck(facts),
    namesCheck(facts),
  ];
}

const NO_ENGINES: Check = {
  ...{ name: 'engines', state: 'ok', what: 'none configured; the folder needs no server' },
};

function nodeCheck({ node, cores, memoryBytes }: MachineFacts): Check {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [least, leastMinor] = NODE_LEAST;
  const what = `${node}, ${cores} core(s), ${formatBytes(memoryBytes)} of memory`;
  if (major > least || (major === least && minor >= leastMinor)) {
    return { name: 'node', state: 'ok', what };
  }
  const fix = `Install Node ${least}.${leastMinor} or later; 24 is best.`;
  return { name: 'node', state: 'fail', what, fix };
}

function zstdCheck({ hasZstd }: MachineFacts): Check {
  if (hasZstd) return { name: 'zstd', state: 'ok', what: 'bodies are stored and read with it' };
  const what = 'not in this Node: gzip is used, which takes more time and room';
  return { name: 'zstd', state: 'warn', what, fix: 'Use Node 22.15 or later.' };
}

function folderCheck({ writeProblem }: MachineFacts, dir: string): Check {
  const name = 'folder';
  if (writeProblem === '') return { name, state: 'ok', what: `${dir} can be written` };
  const fix = 'Choose another folder with --dir, or make this one yours.';
  return { name, state: 'fail', what: `${dir} cannot be written: ${writeProblem}`, fix };
}

function spaceCheck({ freeBytes }: MachineFacts): Check {
  const name = 'space';
  if (freeBytes === undefined) return { name, state: 'warn', what: 'the system does not say' };
  const what = `${formatBytes(freeBytes)} free`;
  if (freeBytes >= GB) return { name, state: 'ok', what };
  const fix = 'Free some, or limit the crawl with --max-size; a million pages take about 10 GB.';
  return { name, state: freeBytes < GB / 20 ? 'fail' : 'warn', what, fix };
}

function filesCheck({ openFilesMax }: MachineFacts): Check {
  const name = 'open files';
  if (openFilesMax === undefined) return { name, state: 'ok', what: 'the system does not say' };
  const what = `${openFilesMax} at a time`;
  if (openFilesMax >= OPEN_FILES_LEAST) return { name, state: 'ok', what };
  const fix = `Raise it (ulimit -n ${OPEN_FILES_LEAST}), or keep --concurrency below 200.`;
  return { name, state: 'warn', what, fix };
}

/** A clock that is behind what is on the disk, or years behind, would ask hosts too soon. */
function clockCheck({ now, newestFileAt }: MachineFacts): Check {
  const name = 'clock';
  const what = new Date(now).toISOString();
  const isBehind = newestFileAt !== undefined && newestFileAt > now + CLOCK_SLACK_MS;
  if (now >= CLOCK_LEAST && !isBehind) return { name, state: 'ok', what };
  const fix = 'Set the clock; turns of hosts and ages of robots.txt are told by it.';
  return { name, state: 'fail', what: `${what} is in the past`, fix };
}

function namesCheck({ lookup }: MachineFacts): Check {
  const name = 'names';
  if (lookup === undefined) {
    return { name, state: 'ok', what: 'not tried; --lookup HOST tries one' };
  }
  if (lookup.problem === '') return { name, state: 'ok', what: lookup.addresses.join(', ') };
  const fix = 'Check the network, or name a server with --dns.';
  return { name, state: 'fail', what: lookup.problem, fix };
}

/** A crawl goes on without one: pages that live by their scripts are then kept as they are sent. */
export function browserCheck(found: FoundBrowser): Check {
  const name = 'browser';
  if (found.kind === 'found') return { name, state: 'ok', what: found.what };
  const what = `${found.problem}: pages that show little without scripts are not rendered`;
  return { name, state: 'warn', what, fix: found.fix };
}

/** Nothing is said of signatures that nobody asked for. */
async function signingChecks(
  { signKey, signatureAgent }: Settings['agent'],
  world: World,
): Promise<Check[]> {
  if (signKey === undefined) return [];
  const name = 'signing';
  try {
    const { keyid } = await world.keyFiles.read(signKey);
    const what = `with key ${keyid}, to be listed at ${signatureAgent}${DIRECTORY_PATH}`;
    return [{ name, state: 'ok', what }];
  } catch (error) {
    if (!(error instanceof CrawlError)) throw error;
    return [{ name, state: 'fail', what: error.message, fix: error.hint }];
  }
}

function checkLines({ name, state, what, fix }: Check): string[] {
  const line = `${state.padEnd(5)} ${name.padEnd(11)} ${safeText(what, 300)}`;
  return fix === undefined ? [line] : [line, `${' '.repeat(18)}→ ${fix}`];
}
