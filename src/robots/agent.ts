/**
 * The product token: the name by which robots.txt knows a crawler (RFC 9309, 2.2.1).
 *
 * An agent may be given as that token or as a whole User-Agent string. In a string that
 * starts with `Mozilla`, as ours does, the name is what follows `compatible;`, or else the
 * first product that is no browser's. Digits are taken as part of a name, although the RFC
 * has none: `MJ12bot` is one name, not `MJ`.
 */
import { toOctets } from './octets.ts';

const NAME = /^[a-z0-9_\x80-\xff-]+/;
const COMPATIBLE = /\(\s*compatible;\s*([a-z0-9_\x80-\xff-]+)/;
const BROWSERS = new Set(
  'mozilla applewebkit khtml like gecko chrome safari mobile version firefox edg edge opr'.split(
    ' ',
  ),
);
const AGENT_CHARS_MAX = 1_000;

/** In lower case; `*` for `*`, and '' when there is no name in it. */
export function productToken(agent: string): string {
  const text = toOctets(agent.trim().slice(0, AGENT_CHARS_MAX)).toLowerCase();
  if (text === '*') return '*';
  const first = NAME.exec(text)?.[0] ?? '';
  if (first !== 'mozilla' || first.length === text.length) return first;
  return COMPATIBLE.exec(text)?.[1] ?? productBesideBrowsers(text) ?? first;
}

function productBesideBrowsers(text: string): string | undefined {
  for (const word of text.replace(/\([^)]*\)?/g, ' ').split(/\s+/)) {
    const name = NAME.exec(word)?.[0];
    if (name !== undefined && !BROWSERS.has(name) && !/^\d/.test(name)) return name;
  }
  return undefined;
}

/**
 * The tokens that a `User-agent` line names. One, by the grammar; where somebody listed
 * several, all of them were meant.
 */
export function lineTokens(value: string): string[] {
  const text = value.toLowerCase();
  if (text.startsWith('mozilla/')) return [productToken(value)];
  const tokens: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    const token = word === '*' ? '*' : NAME.exec(word)?.[0];
    if (token !== undefined && !tokens.includes(token)) tokens.push(token);
    if (tokens.length === LINE_TOKENS_MAX) break;
  }
  return tokens;
}

const LINE_TOKENS_MAX = 32;
