/**
 * Hosts outside the numbered web, each with a label, a name of its own and an address of its own,
 * so that what one does to a crawler delays no other:
 *
 *   hostile.ts   servers that try to hurt        traps.ts   sites without an end
 *   names.ts     names without a good address, certificates that should not be trusted
 */
import type { WebAnswer, WebRequest } from './exchange.ts';
import { hostileDrafts } from './hostile.ts';
import { addressOf, originOf } from './hosts.ts';
import { deadNameDrafts, privateNameDrafts, tlsDrafts } from './names.ts';
import type { Settings } from './options.ts';
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
  answer(path: string, request: WebRequest, place: Place): WebAnswer;
}

export interface Place {
  readonly origin: string;
  readonly settings: Settings;
}

export function openSpecials(settings: Settings): Special[] {
  const drafts = draftsOf(settings);
  const first = Math.ceil(settings.hosts / settings.hostsPerAddress);
  return drafts.map((draft, at) => place(settings, draft, addressOf(first + at)));
}

function draftsOf({ features }: Settings): Draft[] {
  const drafts: Draft[] = [];
  if (features.has('hostile')) drafts.push(...hostileDrafts(), ...privateNameDrafts());
  if (features.has('traps')) drafts.push(...trapDrafts());
  if (features.has('dns')) drafts.push(...deadNameDrafts());
  if (features.has('tls')) drafts.push(...tlsDrafts());
  return drafts;
}

function place(settings: Settings, draft: Draft, address: string): Special {
  const hostName = `${draft.label}.x${settings.seed}.test`;
  const secure = draft.scheme === 'https' || settings.scheme === 'https';
  const port = draft.scheme === 'https' ? settings.tlsPort : settings.port;
  const origin = originOf(secure ? 'https' : 'http', hostName, port);
  return {
    label: draft.label,
    hostName,
    origin,
    address,
    root: `${origin}/`,
    target: origin + draft.path,
    honest: (draft.honest ?? ['/']).map((path) => origin + path),
    linked: draft.linked,
    naming: draft.naming ?? { kind: 'own' },
    answer: (path, request) => draft.answer(path, request, { origin, settings }),
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
