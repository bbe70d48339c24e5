/**
 * The Link header (RFC 8288): `<target>; rel=…; title="…"`, several to a field.
 *
 * A link without a relation says nothing and is left out, and so is one without a target.
 * What is broken is passed over up to the next comma; the rest of the field still counts.
 */
export interface HeaderLink {
  /** As written; relative to the URL of the answer that carried it. */
  readonly href: string;
  /** In lower case. */
  readonly rel: string[];
  /** All other parameters, names in lower case, the first of a name; `x*` is decoded as `x`. */
  readonly params: Readonly<Record<string, string>>;
}

export function parseLinkHeader(value: string): HeaderLink[] {
  const links: HeaderLink[] = [];
  const lastClose = value.lastIndexOf('>');
  let at = skip(value, 0, ' \t,\r\n');
  while (at < value.length) {
    if (value[at] === '<' && at < lastClose) {
      const close = value.indexOf('>', at);
      const params = new Map<string, string>();
      const href = value.slice(at + 1, close).trim();
      at = readParams(value, close + 1, params);
      const link = linkOf(href, params);
      if (link !== undefined) links.push(link);
    }
    at = skip(value, nextComma(value, at), ' \t,\r\n');
  }
  return links;
}

/** Targets of `rel=canonical` that speak of the page itself, resolved. */
export function canonicalLinks(value: string, pageUrl: string): string[] {
  const canonicals: string[] = [];
  for (const { href, rel, params } of parseLinkHeader(value)) {
    const anchor = params.anchor;
    const aboutUs = anchor === undefined || resolved(anchor, pageUrl) === resolved('', pageUrl);
    const target = resolved(href, pageUrl);
    if (rel.includes('canonical') && aboutUs && target !== undefined) canonicals.push(target);
  }
  return canonicals;
}

function resolved(href: string, base: string): string | undefined {
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}

function linkOf(href: string, params: Map<string, string>): HeaderLink | undefined {
  const rel = (params.get('rel') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (href === '' || rel.length === 0) return undefined;
  const rest: Record<string, string> = Object.create(null);
  for (const [name, text] of params) {
    if (name === 'rel' || name.endsWith('*')) continue;
    rest[name] = text;
  }
  for (const [name, text] of params) {
    const plain = name.endsWith('*') ? extendedValue(text) : undefined;
    if (plain !== undefined) rest[name.slice(0, -1)] = plain;
  }
  return { href, rel, params: { ...rest } };
}

/** RFC 8187: `UTF-8'en'%e2%82%ac`. */
function extendedValue(text: string): string | undefined {
  const match = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is.exec(text);
  if (match === null) return undefined;
  const utf8 = match[1]!.toLowerCase() === 'utf-8';
  try {
    return utf8 ? decodeURIComponent(match[2]!) : unescapeLatin1(match[2]!);
  } catch {
    return undefined;
  }
}

function unescapeLatin1(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Reads `;name=value` pairs; answers where it stopped. */
function readParams(value: string, from: number, params: Map<string, string>): number {
  let at = skip(value, from, ' \t');
  while (value[at] === ';') {
    at = skip(value, at + 1, ' \t');
    const nameEnd = until(value, at, ' \t=;,');
    const name = value.slice(at, nameEnd).toLowerCase();
    at = skip(value, nameEnd, ' \t');
    let text = '';
    if (value[at] === '=') [text, at] = readValue(value, skip(value, at + 1, ' \t'));
    if (name !== '' && !params.has(name)) params.set(name, text);
    at = skip(value, at, ' \t');
  }
  return at;
}

function readValue(value: string, at: number): [string, number] {
  if (value[at] !== '"') {
    const end = until(value, at, ';,');
    return [value.slice(at, end).trim(), end];
  }
  const end = quoteEnd(value, at);
  return [value.slice(at + 1, end).replace(/\\(.)/gs, '$1'), Math.min(end + 1, value.length)];
}

function nextComma(value: string, from: number): number {
  for (let at = from; at < value.length; at += 1) {
    if (value[at] === ',') return at;
    if (value[at] === '"') at = quoteEnd(value, at);
  }
  return value.length;
}

/** The place of the quote that closes the one at `open`; the end when none does. */
function quoteEnd(value: string, open: number): number {
  for (let at = open + 1; at < value.length; at += 1) {
    if (value[at] === '\\') at += 1;
    else if (value[at] === '"') return at;
  }
  return value.length;
}

function skip(value: string, from: number, chars: string): number {
  let at = from;
  while (at < value.length && chars.includes(value[at]!)) at += 1;
  return at;
}

function until(value: string, from: number, chars: string): number {
  let at = from;
  while (at < value.length && !chars.includes(value[at]!)) at += 1;
  return at;
}
