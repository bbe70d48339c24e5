/**
 * A URL becomes a key (U1): every spelling of one address has one canonical form.
 *
 *   href, base ─▶ clean.ts says it is canonical already ──────────────────────────▶ key
 *              └▶ WHATWG parser ─▶ http(s) only ─▶ no userinfo, no fragment
 *                      ─▶ path.ts: escapes, sessions, dots
 *                      ─▶ query.ts: escapes, noise dropped, sorted ───────────────▶ key
 *
 * Promises: canonical forms are fixed points; no input throws; time is linear (but for the
 * sorting of parameters); what WHATWG parsing, RFC 3986 section 6.2.2 and the list in noise.ts
 * don't call equal stays apart. So a final dot of a host name stays, and so do doubled slashes,
 * index pages and letter case in paths: servers may answer differently there.
 *
 * A base that is no URL is treated as no base: an absolute link is good wherever it stood.
 *
 * Not here: many links against one base (resolver.ts).
 */
import { cleanAbsolute } from './clean.ts';
import { canonicalPath } from './path.ts';
import { canonicalQuery } from './query.ts';

export interface CanonicalOptions {
  /** Take `www.` off host names. Off by default: it changes which server answers. */
  readonly stripWww?: boolean;
}

/** The canonical form of `href` as found on a page with this base; undefined if not http(s). */
export function canonicalize(
  href: string,
  base?: string,
  options?: CanonicalOptions,
): string | undefined {
  return cleanAbsolute(href, options?.stripWww) ?? canonicalizeByParser(href, base, options);
}

/** The long way, which defines the right answer; the quick ways are measured against it. */
export function canonicalizeByParser(
  href: string,
  base?: string,
  options?: CanonicalOptions,
): string | undefined {
  const parsed = hasForeignScheme(href) ? undefined : parseHref(href, base);
  const parts = parsed === undefined ? undefined : splitHref(parsed);
  return parts && canonicalOf(parts, options);
}

export function canonicalOf(parts: HrefParts, options?: CanonicalOptions): string {
  const page = canonicalOrigin(parts, options) + canonicalPath(parts.path);
  const query = parts.query === '' ? '' : canonicalQuery(parts.query);
  return query === '' ? page : `${page}?${query}`;
}

/** Scheme and host, without a final slash. */
export function canonicalOrigin(parts: HrefParts, options?: CanonicalOptions): string {
  return parts.scheme + (options?.stripWww ? withoutWww(parts.host) : parts.host);
}

/** Schemes that can be told from the first characters: `mailto:`, `javascript:`, `tel:` … */
const FOREIGN_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;

/** It leads nowhere, whatever page it stands on. */
export function hasForeignScheme(href: string): boolean {
  return FOREIGN_SCHEME.test(href);
}

/** What the WHATWG parser makes of a reference, or undefined when it refuses. */
export function parseHref(href: string, base?: string): string | undefined {
  return ((base ? parse(href, base) : null) ?? parse(href))?.href;
}

/** Once, where Node can (22.1 and later); twice where it cannot. */
const parse: (href: string, base?: string) => URL | null =
  typeof URL.parse === 'function'
    ? URL.parse
    : (href, base) => (URL.canParse(href, base) ? new URL(href, base) : null);

export interface HrefParts {
  /** `http://` or `https://` */
  readonly scheme: string;
  /** Host name with the port if it isn't the scheme's own. */
  readonly host: string;
  readonly path: string;
  /** Without the `?`; empty when there is none. */
  readonly query: string;
}

/** Cuts a serialised URL; undefined unless it is http(s). Userinfo and fragment are left out. */
export function splitHref(href: string): HrefParts | undefined {
  const scheme = href.startsWith('https://') ? 'https://' : 'http://';
  if (!href.startsWith(scheme)) return undefined;
  const pathAt = href.indexOf('/', scheme.length);
  const authority = href.slice(scheme.length, pathAt);
  const hash = href.indexOf('#', pathAt);
  const end = hash < 0 ? href.length : hash;
  const mark = href.indexOf('?', pathAt);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  return {
    scheme,
    host: authority.slice(authority.lastIndexOf('@') + 1),
    path: href.slice(pathAt, pathEnd),
    query: href.slice(pathEnd + 1, end),
  };
}

/** `www.example.com` → `example.com`, but `www.com` is somebody's name and stays. */
function withoutWww(host: string): string {
  let bare = host;
  while (bare.startsWith('www.') && bare.includes('.', 4)) bare = bare.slice(4);
  return bare;
}
