/**
 * What settings mean for each other: values that follow from others, and pairs that cannot be.
 *
 * A value that follows (`delay` from `rate`, `ipRate` from `rate`) is filled in only where
 * nobody gave it; where both were given, the stronger place wins (a flag over the file), and
 * on the same place a contradiction is a mistake. Nothing is said of a value that was refused.
 */
import { assert } from '../base/assert.ts';
import { RATE_MAX_PER_SECOND } from './kinds-plain.ts';
import { codeOf, type Mistake, ORIGINS, type Origin } from './mistake.ts';
import { missingIn, recordsProblem, rolesProblem } from './relations-cluster.ts';
import {
  entryByKey,
  type SectionName,
  type SettingKey,
  type Settings,
  valueIn,
  writeValue,
} from './settings.ts';

export type Explicit = ReadonlyMap<SettingKey, Origin>;

type Mutable<T> = { -readonly [K in keyof T]: { -readonly [N in keyof T[K]]: T[K][N] } };
export type Draft = Mutable<Settings>;

/** Completes the draft and answers with every pair that cannot be. */
export function relate(
  draft: Draft,
  explicit: Explicit,
  broken: ReadonlySet<SettingKey>,
): Mistake[] {
  const pairs = new Pairs(draft, explicit, broken);
  relatePace(draft, pairs);
  relateMax(draft, pairs);
  relateNames(draft, pairs);
  relateSigning(draft, pairs);
  relateHooks(draft, pairs);
  relateOutput(draft, pairs);
  relateTimes(draft, pairs);
  relateSizes(draft, pairs);
  relateFresh(draft, pairs);
  relateCluster(draft, pairs);
  relateRing(draft, pairs);
  return pairs.mistakes;
}

const ONE_OF_TWO = 'Give one of the two.';

class Pairs {
  readonly mistakes: Mistake[] = [];
  readonly #draft: Draft;
  readonly #explicit: Explicit;
  readonly #broken: ReadonlySet<SettingKey>;

  constructor(draft: Draft, explicit: Explicit, broken: ReadonlySet<SettingKey>) {
    this.#draft = draft;
    this.#explicit = explicit;
    this.#broken = broken;
  }

  isGiven(key: SettingKey): boolean {
    return this.#explicit.has(key);
  }

  givenOf(section: SectionName): SettingKey[] {
    return [...this.#explicit.keys()].filter((key) => key.startsWith(`${section}.`));
  }

  /** -1 for a default, else the rank of the place that gave it. */
  strength(key: SettingKey): number {
    const origin = this.#explicit.get(key);
    return origin === undefined ? -1 : ORIGINS.indexOf(origin);
  }

  isTie(a: SettingKey, b: SettingKey): boolean {
    return this.isGiven(a) && this.strength(a) === this.strength(b);
  }

  /** `--timeout 30s`, whoever gave it. */
  say(key: SettingKey): string {
    const entry = entryByKey(key);
    assert(entry !== undefined, `${key} is in the table`);
    const value = writeValue(entry, valueIn(this.#draft, entry));
    return entry.kind.form === '' ? `--${entry.flag}` : `--${entry.flag} ${value}`;
  }

  /** The strongest place that gave one of these decides what kind of mistake it is. */
  refuse(keys: readonly SettingKey[], message: string, hint: string): void {
    if (keys.some((key) => this.#broken.has(key))) return;
    const strongest = Math.max(...keys.map((key) => this.strength(key)));
    const code = codeOf(ORIGINS[strongest] ?? 'file');
    this.mistakes.push({ code, message, hint });
  }
}

function relatePace({ polite }: Draft, pairs: Pairs): void {
  const isContrary = Math.abs(1_000 / polite.rate - polite.delayMs) > 0.5;
  if (isContrary && pairs.isTie('polite.rate', 'polite.delay')) {
    const message = `${pairs.say('polite.rate')} and ${pairs.say('polite.delay')} contradict.`;
    pairs.refuse(['polite.rate', 'polite.delay'], message, ONE_OF_TWO);
  }
  const isByDelay = pairs.strength('polite.delay') > pairs.strength('polite.rate');
  if (isByDelay) polite.rate = polite.delayMs === 0 ? Infinity : 1_000 / polite.delayMs;
  else polite.delayMs = 1_000 / polite.rate;
  if (!pairs.isGiven('polite.ipRate')) polite.ipRate = polite.rate;
}

/** No politeness is for addresses that are one's own. */
function relateMax({ polite, network }: Draft, pairs: Pairs): void {
  if (network.allowPrivate) return;
  const given: SettingKey[] = [];
  if (polite.rate > RATE_MAX_PER_SECOND) {
    given.push(pairs.isGiven('polite.rate') ? 'polite.rate' : 'polite.delay');
  }
  if (polite.ipRate === Infinity && pairs.isGiven('polite.ipRate')) given.push('polite.ipRate');
  if (polite.rateFor.some(({ ratePerSecond }) => ratePerSecond === Infinity)) {
    given.push('polite.rateFor');
  }
  for (const key of given) {
    const message = `${pairs.say(key)} leaves hosts no pause, which is for private addresses only.`;
    const hint = 'Add --allow-private for a crawl of private addresses, or give a rate such as 1.';
    pairs.refuse([key, 'network.allowPrivate'], message, hint);
  }
}

function relateNames({ agent }: Draft, pairs: Pairs): void {
  const name = agent.userAgent.split('/')[0] ?? '';
  if (!pairs.isGiven('agent.robotsToken')) {
    agent.robotsToken = /^[a-z_-]+/i.exec(name)?.[0] ?? agent.robotsToken;
  }
  if (name.toLowerCase().includes(agent.robotsToken.toLowerCase())) return;
  const pair = `${pairs.say('agent.robotsToken')} is no part of ${pairs.say('agent.userAgent')}`;
  const hint = `Leave --robots-token out, or use --user-agent ${agent.robotsToken}/1.0.`;
  const message = `${pair}, so that no site could tell which rules are meant for it.`;
  pairs.refuse(['agent.robotsToken', 'agent.userAgent'], message, hint);
}

/** A signature that names no directory, or no signature at all, proves nothing to anybody. */
function relateSigning({ agent }: Draft, pairs: Pairs): void {
  const keys = ['agent.signKey', 'agent.signatureAgent'] as const;
  if (agent.signKey !== undefined && agent.signatureAgent === undefined) {
    const message = `${pairs.say(keys[0])} needs a place where sites find the public key.`;
    const hint = 'Add --signature-agent with the https origin that publishes your key directory.';
    pairs.refuse(keys, message, hint);
  }
  if (agent.signKey === undefined && agent.signatureAgent !== undefined) {
    const message = `${pairs.say(keys[1])} has no effect without a key to sign with.`;
    pairs.refuse(keys, message, 'Add --sign-key FILE; make one with: orb key new --out FILE');
  }
}

/** A message that is not signed could be anybody's. */
function relateHooks({ hooks }: Draft, pairs: Pairs): void {
  if (hooks.webhook.length === 0 || hooks.webhookSecret !== undefined) return;
  const message = '--webhook needs a secret to sign its messages with.';
  const hint =
    'Give ORB_HOOKS_WEBHOOK_SECRET (or --webhook-secret): whsec_ and random bytes, as from ' +
    '`echo whsec_$(openssl rand -base64 32)`.';
  pairs.refuse(['hooks.webhook', 'hooks.webhookSecret'], message, hint);
}

function relateOutput({ output, readable }: Draft, pairs: Pairs): void {
  const isContrary = output.json && output.format !== 'json';
  if (isContrary && pairs.isTie('output.json', 'output.format')) {
    const message = `--json and ${pairs.say('output.format')} contradict.`;
    pairs.refuse(['output.json', 'output.format'], message, ONE_OF_TWO);
  }
  const isByJson = pairs.strength('output.json') >= pairs.strength('output.format');
  if (output.json && isByJson) output.format = 'json';
  output.json = output.format === 'json';
  if (readable.markdown && output.format === 'text') output.format = 'markdown';
  if (output.format === 'markdown') readable.markdown = true;
  if (output.quiet && output.verbose) {
    const message = '--quiet and --verbose contradict.';
    pairs.refuse(['output.quiet', 'output.verbose'], message, ONE_OF_TWO);
  }
}

/** A part cannot outlast the whole; a default part follows a shorter whole by itself. */
function relateTimes({ fetch, polite }: Draft, pairs: Pairs): void {
  const parts = [
    ['fetch.connectTimeout', 'connectTimeoutMs'],
    ['fetch.firstByteTimeout', 'firstByteTimeoutMs'],
  ] as const;
  for (const [key, property] of parts) {
    if (fetch[property] <= fetch.timeoutMs) continue;
    if (!pairs.isGiven(key)) fetch[property] = fetch.timeoutMs;
    else {
      const message = `${pairs.say(key)} is longer than the whole, ${pairs.say('fetch.timeout')}.`;
      pairs.refuse([key, 'fetch.timeout'], message, 'Raise the second or lower the first.');
    }
  }
  if (polite.backoffMs > polite.maxBackoffMs) {
    const message = `${pairs.say('polite.backoff')} is above ${pairs.say('polite.maxBackoff')}.`;
    const hint = 'Raise the second or lower the first.';
    pairs.refuse(['polite.backoff', 'polite.maxBackoff'], message, hint);
  }
}

function relateSizes({ fetch, store }: Draft, pairs: Pairs): void {
  if (fetch.maxDecodedBytes < fetch.maxBodyBytes) {
    if (!pairs.isGiven('fetch.maxDecoded')) fetch.maxDecodedBytes = fetch.maxBodyBytes;
    else if (!pairs.isGiven('fetch.maxBody')) fetch.maxBodyBytes = fetch.maxDecodedBytes;
    else {
      const message = `${pairs.say('fetch.maxDecoded')} is below ${pairs.say('fetch.maxBody')}.`;
      const hint = 'Raise the first or lower the second.';
      pairs.refuse(['fetch.maxDecoded', 'fetch.maxBody'], message, hint);
    }
  }
  if (store.compression === 'gzip' && store.compressionLevel > 9) {
    const message = `${pairs.say('store.compressionLevel')} does not exist for gzip.`;
    const hint = 'Give 1 to 9, or use --compression zstd.';
    pairs.refuse(['store.compressionLevel', 'store.compression'], message, hint);
  }
}

function relateFresh({ crawl }: Draft, pairs: Pairs): void {
  if (!crawl.fresh || !crawl.retryFailed) return;
  const message = '--fresh deletes the earlier crawl, so that --retry-failed has nothing to retry.';
  pairs.refuse(['crawl.fresh', 'crawl.retryFailed'], message, ONE_OF_TWO);
}

/** Several at once: whoever mends one should not find the next one only then. */
function relateCluster(draft: Draft, pairs: Pairs): void {
  for (const { key, message, hint } of missingIn(draft, (key) => pairs.isGiven(key))) {
    const instead: SettingKey[] = key === 'cluster.postgres' ? ['cluster.cassandra'] : [];
    const keys = [key, ...instead, ...pairs.givenOf('cluster')];
    pairs.refuse(keys, message, `${hint}; see docs/cluster.md.`);
  }
  const both = recordsProblem(draft);
  if (both !== undefined) pairs.refuse(['cluster.postgres', 'cluster.cassandra'], both, ONE_OF_TWO);
  const roles = rolesProblem(draft);
  if (roles !== undefined) pairs.refuse(['cluster.roles', 'fetcher.frontier'], ...roles);
}

/** A ring has a secret or certificates (D8): with both, half of it would let in whom the other refuses. */
function relateRing({ ring }: Draft, pairs: Pairs): void {
  const { secret, secretFile, certificate, ringKey } = ring;
  if (secret !== undefined && secretFile !== undefined) {
    const message = 'The join secret is given as text and as a file.';
    pairs.refuse(['ring.secret', 'ring.secretFile'], message, ONE_OF_TWO);
  }
  const isCertified = certificate !== undefined || ringKey !== undefined;
  if ((secret ?? secretFile) !== undefined && isCertified) {
    const message = 'A ring lets nodes in by a secret or by certificates, and both are given.';
    const keys: SettingKey[] = [
      'ring.secret',
      'ring.secretFile',
      'ring.certificate',
      'ring.ringKey',
    ];
    pairs.refuse(keys, message, ONE_OF_TWO);
  } else if ((certificate === undefined) !== (ringKey === undefined)) {
    const message = 'A certificate and the key that it is checked with go together.';
    const hint = 'Give both: --certificate FILE --ring-key KEY.';
    pairs.refuse(['ring.certificate', 'ring.ringKey'], message, hint);
  }
}
