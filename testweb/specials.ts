/**
 * Hosts outside the numbered web, each with a label, a name of its own and an address of its own,
 * so that what one does to a crawler delays no other:
 *
 *   hostile.ts   servers that try to hurt        traps.ts   sites without an end
 *   names.ts     names without a good address, certificates that should not be trusted
 *   quarters/    sites that a crawler has to judge; each has a domain of its own
 */
import type { WebAnswer, WebRequest } from './exchange.ts';
import { hostileDrafts } from './hostile.ts';
import { addressOf, originOf } from './hosts.ts';
import { deadNameDrafts, privateNameDrafts, tlsDrafts } from './names.ts';
import type { Settings } from './options.ts';
import { openQuarters, type QuarterHost } from './quarters/index.ts';
import { trapDrafts } from './traps.ts';

export interface Special {
  readonly label: string;
  readonly hostName: string;
  readonly origin: string;
  readonly address: string;
  /** The root, with honest links and the link to `target`. */
  readonly root: string;
  readonly target: string;
  /** Pages of the host that a crawl must fetch whatever the target does. */
  readonly honest: readonly string[];
  /** Whether the root of host 0 names it. */
  readonly linked: boolean;
  readonly naming: Naming;
  /** The truth about its pages, where it is of a quarter. */
  readonly quarter?: QuarterHost;
  answer(path: string, request: WebRequest): WebAnswer;
}

/** What the name server does with a special name. */
export type Naming =
  | { readonly kind: 'own' }
  | { readonly kind: 'fixed'; readonly address: string }
  /** Its own address first, then this one, in turns. */
  | { readonly kind: 'alternating'; readonly address: string }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'servfail' };

export type NameAnswer =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'servfail' };

/** What a kind of special host says about itself; openSpecials adds name, address and ports. */
export interface Draft {
  readonly label: string;
  readonly scheme?: 'https';
  readonly linked: boolean;
  readonly naming?: Naming;
  /** Path of the page that does what the label says. */
  readonly path: string;
  readonly honest?: readonly string[];
  readonly quarter?: QuarterHost;
  answer(path: string, request: WebRequest, place: Place): WebAnswer;
}

export interface Place {
  readonly origin: string;
  readonly settings: Settings;
  /** Of another host of a quarter. */
  originOf(label: string): string;
}

export function openSpecials(settings: Settings): Special[] {
  const drafts = draftsOf(settings);
  const first = Math.ceil(settings.hosts / settings.hostsPerAddress);
  return drafts.map((draft, at) => place(settings, draft, addressOf(first + at)));
}

function draftsOf({ features, quarters, seed }: Settings): Draft[] {
  const drafts: Draft[] = [];
  if (features.has('hostile')) drafts.push(...hostileDrafts(), ...privateNameDrafts());
  if (features.has('traps')) drafts.push(...trapDrafts());
  if (features.has('dns')) drafts.push(...deadNameDrafts());
  if (features.has('tls')) drafts.push(...tlsDrafts());
  drafts.push(...openQuarters(quarters, seed).map(quarterDraft));
  return drafts;
}

function quarterDraft(quarter: QuarterHost): Draft {
  const { label } = quarter;
  return {
    ...{ label, linked: true, path: '/', quarter },
    answer: (path, request, at) => quarter.answer(path, request, at),
  };
}

/** In a domain of its own, because domains have budgets and quarters must not share one. */
const quarterName = (label: string, { seed }: Settings): string => `www.${label}-s${seed}.test`;

function place(settings: Settings, draft: Draft, address: string): Special {
  const { label, quarter } = draft;
  const hostName =
    quarter === undefined ? `${label}.x${settings.seed}.test` : quarterName(label, settings);
  const secure = draft.scheme === 'https' || settings.scheme === 'https';
  const port = draft.scheme === 'https' ? settings.tlsPort : settings.port;
  const scheme = secure ? 'https' : 'http';
  const origin = originOf(scheme, hostName, port);
  const other = (name: string) => originOf(scheme, quarterName(name, settings), port);
  return {
    label,
    hostName,
    origin,
    address,
    root: `${origin}/`,
    target: origin + draft.path,
    honest: (draft.honest ?? ['/']).map((path) => origin + path),
    linked: draft.linked,
    naming: draft.naming ?? { kind: 'own' },
    ...(quarter !== undefined && { quarter }),
    answer: (path, request) => draft.answer(path, request, { origin, settings, originOf: other }),
  };
}

export function nameAnswer(special: Special | undefined, asked: number): NameAnswer {
  if (special === undefined) return { kind: 'nxdomain' };
  const { naming, address } = special;
  if (naming.kind === 'own') return { kind: 'address', address };
  if (naming.kind === 'fixed') return { kind: 'address', address: naming.address };
  if (naming.kind !== 'alternating') return naming;
  return { kind: 'address', address: asked % 2 === 0 ? address : naming.address };
}
