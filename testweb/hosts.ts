/**
 * The hosts of a web: names, sizes, addresses, and the habits of each.
 *
 *   h0000.d3s7.test   h0001.d0s7.test …    eight domains unless told, so that scope `domain` means something
 *
 * Sizes follow a power law. The root of host i is linked from the root of its parent in a tree of
 * four children each; a host that a crawler cannot enter is no `trunk`, and its children hang on
 * the next trunk above it, so that every host can be reached from host 0.
 */
import { mix, SALT } from './hash.ts';
import type { Settings } from './options.ts';
import { hasLines, type RobotsKind, robotsKindOf, shutsOut } from './robots-kind.ts';

export type Coding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd';

export interface Host {
  readonly index: number;
  readonly name: string;
  readonly domain: string;
  /** `http://name:port`, without a slash. */
  readonly origin: string;
  readonly address: string;
  /** Decides everything on the host; a mirror has the seed of the host that it mirrors. */
  readonly seed: number;
  readonly size: number;
  /** Pages below this number have children; the others are leaves. */
  readonly inner: number;
  /** The number of this host's first resource among all of the web (truth.ts). */
  readonly start: number;
  readonly robots: RobotsKind;
  readonly trunk: boolean;
  readonly coding: Coding;
  readonly sitemap: boolean;
  readonly feed: boolean;
  readonly softMissing: boolean;
  /** Has a mirror, or is one: then no body names the host itself. */
  readonly mirrored: boolean;
}

export const CHILDREN = 8;
export const MISSING_PER_HOST = 32;
/** Resource numbers that a host of this size takes up; see resources.ts. */
export const spanOf = (size: number): number => 11 * size + 1 + MISSING_PER_HOST;

export function hostsOf(settings: Settings): Host[] {
  const mirrors = mirrorsOf(settings);
  const sizes = sizesOf(settings, mirrors);
  let start = 0;
  return sizes.map((size, index) => {
    const original = mirrors.get(index) ?? index;
    const host = makeHost(settings, index, original, size, start);
    start += spanOf(size);
    return { ...host, mirrored: original !== index || mirrors.has(index + 1) };
  });
}

function makeHost(s: Settings, index: number, original: number, size: number, start: number): Host {
  const seed = mix(mix(s.seed, SALT.host), original);
  const has = (feature: Parameters<typeof s.features.has>[0]) => s.features.has(feature);
  const robots = robotsKindOf(s, original, seed);
  const domain = `d${mix(seed, SALT.domain) % s.domains}s${s.seed}.test`;
  const name = `h${String(index).padStart(4, '0')}.${domain}`;
  const draw = (salt: number) => mix(seed, 0x1000 + salt) % 100;
  return {
    index,
    name,
    domain,
    origin: originOf(s.scheme, name, s.port),
    address: addressOf(Math.floor(index / s.hostsPerAddress)),
    seed,
    size,
    inner: Math.ceil((size - 1) / CHILDREN),
    start,
    robots,
    trunk: !shutsOut(robots),
    coding: has('encodings') ? codingOf(draw(1)) : 'identity',
    sitemap: has('sitemaps') && hasLines(robots) && (original === 0 || draw(2) < 30),
    feed: has('feeds') && draw(3) < 30,
    softMissing: has('copies') && draw(4) < 6,
    mirrored: false,
  };
}

export function originOf(scheme: string, name: string, port: number): string {
  const usual = (scheme === 'http' && port === 80) || (scheme === 'https' && port === 443);
  return usual ? `${scheme}://${name}` : `${scheme}://${name}:${port}`;
}

/** 127.1.1.1 and on: 127.0.0.x stays free for the machine itself and for the tripwire. */
export function addressOf(slot: number): string {
  const high = 1 + Math.floor(slot / (254 * 254));
  return `127.${high}.${1 + (Math.floor(slot / 254) % 254)}.${1 + (slot % 254)}`;
}

function codingOf(draw: number): Coding {
  if (draw < 3) return 'gzip';
  if (draw < 4) return 'deflate';
  if (draw < 5) return 'br';
  return draw < 6 ? 'zstd' : 'identity';
}

/** Mirror → original; the original is the host just before, so that sizes are close. */
function mirrorsOf(settings: Settings): Map<number, number> {
  const mirrors = new Map<number, number>();
  if (!settings.features.has('copies')) return mirrors;
  for (let index = 3; index < settings.hosts; index++) {
    const draw = mix(mix(settings.seed, SALT.twin), index) % 100;
    if (draw < 3 && !mirrors.has(index - 1)) mirrors.set(index, index - 1);
  }
  return mirrors;
}

/** The sum is exact: what rounding and mirrors take or leave goes to host 0. */
function sizesOf(settings: Settings, mirrors: ReadonlyMap<number, number>): number[] {
  const { hosts, pages, skew, hot } = settings;
  let weight = 0;
  for (let index = 0; index < hosts; index++) weight += (index + 1) ** -skew;
  const spare = pages - hosts;
  const sizes: number[] = [];
  let given = 0;
  for (let index = 0; index < hosts; index++) {
    const own = 1 + Math.floor((spare * (index + 1) ** -skew) / weight);
    sizes.push(mirrors.has(index) ? sizes[index - 1]! : own);
    given += sizes[index]!;
  }
  const settled = settleSum(sizes, pages - given, mirrors);
  settled[0] = settled[0]! + hot;
  return settled;
}

function settleSum(sizes: number[], rest: number, mirrors: ReadonlyMap<number, number>): number[] {
  const bonus = Math.max(rest, 1 - sizes[0]!);
  sizes[0] = sizes[0]! + bonus;
  let owed = bonus - rest;
  for (let index = 1; owed > 0 && index < sizes.length; index++) {
    if (mirrors.has(index) || mirrors.has(index + 1)) continue;
    const cut = Math.min(owed, sizes[index]! - 1);
    sizes[index] = sizes[index]! - cut;
    owed -= cut;
  }
  return sizes;
}
