/**
 * Which addresses may be asked (N2, Y1): the IANA special-purpose registries, as a decision.
 *
 * Asked twice for every connection: on what the resolver answered, and on the address that the
 * socket is in fact connected to. A name cannot change its mind in between.
 *
 *   public                     allowed
 *   private (loopback, RFC 1918, shared, benchmarking, unique-local)
 *                              allowed only with `allowPrivate`
 *   link-local, cloud metadata, multicast, reserved, documentation
 *                              never, except where `allowedNetworks` names them: a crawl of an
 *                              intranet has no business with the keys of its own machine
 *   IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4, Teredo)
 *                              judged as the IPv4 address that it reaches
 *
 * `blockedNetworks` wins over everything. Not here: names to addresses (the resolver port).
 */
import { assert } from '../base/assert.ts';
import { type Ip, ipv4Of, isInNetwork, type Network, parseIp, parseNetwork } from './ip.ts';

export interface AddressRules {
  readonly allowPrivate: boolean;
  /** Networks in CIDR form, or single addresses, that are never asked. */
  readonly blockedNetworks: readonly string[];
  /** Names that are never asked, with all names under them. */
  readonly blockedHosts: readonly string[];
  /** Special networks that are asked although this page would refuse them. */
  readonly allowedNetworks?: readonly string[];
}

export type AddressVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly why: string };

export const PUBLIC_ONLY: AddressRules = {
  allowPrivate: false,
  blockedNetworks: [],
  blockedHosts: [],
};

const ALLOWED: AddressVerdict = { allowed: true };

export function addressVerdict(address: string, rules: AddressRules): AddressVerdict {
  const ip = parseIp(address);
  if (ip === undefined) return refuse('not an IP address');
  const { blocked, allowed } = compiled(rules);
  const hit = blocked.length === 0 ? undefined : blockedBy(ip, blocked);
  if (hit !== undefined) return refuse(`in the blocked network ${hit.text}`);
  const special = specialOf(ip);
  if (special === undefined) return ALLOWED;
  if (special.isPrivate && rules.allowPrivate) return ALLOWED;
  for (const { network } of allowed) if (isInNetwork(ip, network)) return ALLOWED;
  return special.isPrivate
    ? refuse(`${special.name}; --allow-private permits it`)
    : refuse(special.name);
}

/** True for an address that the rest of the internet can reach. */
export function isPublic(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && specialOf(ip) === undefined;
}

/** Whether a name may be asked at all: `blockedHosts` and everything under them may not. */
export function hostVerdict(hostname: string, rules: AddressRules): AddressVerdict {
  const { hosts } = compiled(rules);
  if (hosts.size === 0) return ALLOWED;
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  for (let at = 0; ; at++) {
    const suffix = name.slice(at);
    if (hosts.has(suffix)) return refuse(`under the blocked host ${suffix}`);
    at = name.indexOf('.', at);
    if (at === -1) return ALLOWED;
  }
}

function refuse(why: string): AddressVerdict {
  return { allowed: false, why };
}

interface Special {
  readonly name: string;
  readonly isPrivate: boolean;
}

interface SpecialNetwork extends Special {
  readonly network: Network;
}

function special(cidr: string, name: string, isPrivate = false): SpecialNetwork {
  const network = parseNetwork(cidr);
  assert(network !== undefined, `${cidr} is a network`);
  return { network, name: `${name} (${cidr})`, isPrivate };
}

/** Metadata first: some of these addresses lie inside networks that `allowPrivate` opens. */
const METADATA = [
  special('169.254.169.254/32', 'cloud metadata'),
  special('169.254.170.2/32', 'cloud metadata'),
  special('100.100.100.200/32', 'cloud metadata'),
  special('192.0.0.192/32', 'cloud metadata'),
  special('168.63.129.16/32', 'cloud metadata'),
  special('fd00:ec2::254/128', 'cloud metadata'),
  special('fd00:ec2::23/128', 'cloud metadata'),
  special('fd20:ce::254/128', 'cloud metadata'),
];

const SPECIAL_V4 = [
  ...METADATA.slice(0, 5),
  special('0.0.0.0/8', 'this network'),
  special('10.0.0.0/8', 'private network', true),
  special('100.64.0.0/10', 'shared address space', true),
  special('127.0.0.0/8', 'loopback', true),
  special('169.254.0.0/16', 'link-local'),
  special('172.16.0.0/12', 'private network', true),
  special('192.0.0.0/24', 'protocol assignments'),
  special('192.0.2.0/24', 'documentation'),
  special('192.88.99.0/24', '6to4 relay'),
  special('192.168.0.0/16', 'private network', true),
  special('198.18.0.0/15', 'benchmarking', true),
  special('198.51.100.0/24', 'documentation'),
  special('203.0.113.0/24', 'documentation'),
  special('224.0.0.0/4', 'multicast'),
  special('255.255.255.255/32', 'broadcast'),
  special('240.0.0.0/4', 'reserved'),
];

const SPECIAL_V6 = [
  ...METADATA.slice(5),
  special('::/128', 'unspecified'),
  special('::1/128', 'loopback', true),
  special('64:ff9b:1::/48', 'local translation'),
  special('100::/64', 'discard-only'),
  special('100:0:0:1::/64', 'dummy prefix'),
  special('2001:db8::/32', 'documentation'),
  special('2001::/23', 'protocol assignments'),
  special('3fff::/20', 'documentation'),
  special('5f00::/16', 'segment routing'),
  special('fc00::/7', 'unique local', true),
  special('fe80::/10', 'link-local'),
  special('fec0::/10', 'site-local'),
  special('ff00::/8', 'multicast'),
];

const NOT_GLOBAL: Special = { name: 'outside global unicast (2000::/3)', isPrivate: false };

/** First octets in which a special IPv4 network starts: most addresses are public, and end here. */
const SPECIAL_OCTETS = new Uint8Array(256);
for (const { network } of SPECIAL_V4) {
  const first = network.base[3] >>> 24;
  const span = network.bits < 104 ? 1 << (104 - network.bits) : 1;
  SPECIAL_OCTETS.fill(1, first, first + span);
}

function specialOf(ip: Ip): Special | undefined {
  const v4 = ipv4Of(ip);
  if (v4 >= 0) {
    return SPECIAL_OCTETS[v4 >>> 24] === 0 ? undefined : firstHolding(SPECIAL_V4, ip);
  }
  const teredo = ip[0] === 0x20010000;
  if (!teredo) {
    const found = firstHolding(SPECIAL_V6, ip);
    if (found !== undefined) return found;
  }
  const inner = embedded(ip);
  if (inner.length === 0) return ip[0] >>> 29 === 1 ? undefined : NOT_GLOBAL;
  for (const reached of inner) {
    const found = specialOf([0, 0, 0xffff, reached]);
    if (found !== undefined) return { ...found, name: `${found.name} inside IPv6` };
  }
  return undefined;
}

function blockedBy(ip: Ip, blocked: readonly NamedNetwork[]): NamedNetwork | undefined {
  const reached: Ip[] = [ip];
  if (ipv4Of(ip) < 0) for (const inner of embedded(ip)) reached.push([0, 0, 0xffff, inner]);
  return blocked.find(({ network }) => reached.some((one) => isInNetwork(one, network)));
}

/** The IPv4 addresses that an IPv6 address of a transition mechanism reaches. */
function embedded(ip: Ip): readonly number[] {
  const [a, b, c, d] = ip;
  if (a === 0 && b === 0 && c === 0) return [d];
  if (a === 0 && b === 0 && c === 0xffff0000) return [d];
  if (a === 0x0064ff9b && b === 0 && c === 0) return [d];
  if (a >>> 16 === 0x2002) return [((a << 16) | (b >>> 16)) >>> 0];
  if (a === 0x20010000) return [b, ~d >>> 0];
  return [];
}

function firstHolding(table: readonly SpecialNetwork[], ip: Ip): SpecialNetwork | undefined {
  for (const entry of table) if (isInNetwork(ip, entry.network)) return entry;
  return undefined;
}

interface NamedNetwork {
  readonly network: Network;
  readonly text: string;
}

interface Compiled {
  readonly blocked: readonly NamedNetwork[];
  readonly allowed: readonly NamedNetwork[];
  readonly hosts: ReadonlySet<string>;
}

/** Settings are strings that people write; they are read once per rules object. */
const compiledRules = new WeakMap<AddressRules, Compiled>();

function compiled(rules: AddressRules): Compiled {
  const known = compiledRules.get(rules);
  if (known !== undefined) return known;
  const made: Compiled = {
    blocked: rules.blockedNetworks.map(named),
    allowed: (rules.allowedNetworks ?? []).map(named),
    hosts: new Set(rules.blockedHosts.map(plainName)),
  };
  compiledRules.set(rules, made);
  return made;
}

function named(text: string): NamedNetwork {
  const network = parseNetwork(text);
  assert(network !== undefined, `'${text}' is an address or a network like 10.0.0.0/8`);
  return { network, text };
}

function plainName(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
}
