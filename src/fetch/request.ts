/**
 * What a request says about itself and what it asks for (P6, H1): the header fields of a visit.
 *
 * The same for every page but for the validators of a page seen before and for secrets. A secret
 * (cookies, credentials, tokens) that the user gave goes to the origins of the seeds and nowhere
 * else: a link to another host must not carry the user's session there. A seed over http may
 * be answered over https, never the other way round.
 *
 * Host and Connection belong to the connection, and are never taken from the user.
 */
import { CONTENT_CODINGS } from './decode.ts';

export interface Identity {
  /** The product token: what robots.txt is read for. */
  readonly name: string;
  readonly version: string;
  readonly infoUrl: string;
  /** A URL or mail address of whoever runs this crawl. */
  readonly contact?: string;
  /** A whole User-Agent given by the user, in place of ours. */
  readonly userAgent?: string;
}

export interface RequestStyle {
  readonly identity: Identity;
  readonly acceptLanguage?: string;
  /** Extra fields and cookies given by the user. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: string;
  /** `https://example.com`: where secrets may go. */
  readonly seedOrigins: Iterable<string>;
}

/** What an earlier answer gave to ask 'has it changed?' with. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type HeadersOf = (origin: string, known?: Validators) => Readonly<Record<string, string>>;

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const SECRET_NAME = /auth|cookie|token|secret|session|credential|api-?key|password/;

const NEVER_TAKEN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'range',
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
  'proxy-authorization',
]);

/** `Mozilla/5.0 (compatible; Orbweaver/1.0; +https://…; contact)` */
export function userAgent(identity: Identity): string {
  if (identity.userAgent !== undefined) return fieldText(identity.userAgent);
  const contact = identity.contact === undefined ? '' : `; ${commentText(identity.contact)}`;
  const { name, version, infoUrl } = identity;
  return `Mozilla/5.0 (compatible; ${name}/${version}; +${commentText(infoUrl)}${contact})`;
}

/** Prepares the fields once; the returned function costs one object per request. */
export function requestHeaders(style: RequestStyle): HeadersOf {
  const plain = plainFields(style);
  const secret = { ...plain, ...secretFields(style) };
  const trusted = trustedOrigins(style.seedOrigins);
  return (origin, known) => {
    const fields = trusted.has(origin) ? secret : plain;
    if (known === undefined) return fields;
    const { etag, lastModified } = known;
    if (!etag && !lastModified) return fields;
    const asked: Record<string, string> = { ...fields };
    if (etag) asked['if-none-match'] = fieldText(etag);
    if (lastModified) asked['if-modified-since'] = fieldText(lastModified);
    return asked;
  };
}

function plainFields(style: RequestStyle): Record<string, string> {
  const fields: Record<string, string> = {
    'user-agent': userAgent(style.identity),
    accept: ACCEPT,
    'accept-encoding': CONTENT_CODINGS.join(', '),
  };
  const { contact } = style.identity;
  if (contact !== undefined && /^[^@\s/]+@[^@\s/]+$/.test(contact))
    fields.from = fieldText(contact);
  if (style.acceptLanguage) fields['accept-language'] = fieldText(style.acceptLanguage);
  for (const [name, value] of given(style)) if (!SECRET_NAME.test(name)) fields[name] = value;
  return fields;
}

function secretFields(style: RequestStyle): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of given(style)) if (SECRET_NAME.test(name)) fields[name] = value;
  if (style.cookies) fields.cookie = fieldText(style.cookies);
  return fields;
}

function given(style: RequestStyle): [string, string][] {
  return Object.entries(style.headers ?? {})
    .map(([name, value]): [string, string] => [name.trim().toLowerCase(), fieldText(value)])
    .filter(([name]) => !NEVER_TAKEN.has(name) && /^[!#$%&'*+.^_`|~\w-]+$/.test(name));
}

function trustedOrigins(seedOrigins: Iterable<string>): ReadonlySet<string> {
  const trusted = new Set<string>();
  for (const origin of seedOrigins) {
    trusted.add(origin);
    if (/^http:\/\/[^:]+$/.test(origin)) trusted.add(`https://${origin.slice(7)}`);
  }
  return trusted;
}

/** A field value without what could end it: anything but visible ASCII, space and tab is dropped. */
function fieldText(text: string): string {
  return text.replace(/[^\t\x20-\x7e]/g, '').trim();
}

/** Inside a comment, brackets and semicolons would change who we say we are. */
function commentText(text: string): string {
  return fieldText(text).replace(/[()\\;]/g, '');
}
