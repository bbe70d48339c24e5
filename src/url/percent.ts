/**
 * Percent-encoding made uniform: one spelling for every character of a path or query.
 *
 *   %7e → ~     an unreserved character needs no escape (RFC 3986, 6.2.2.2)
 *   %2f → %2F   other escapes stay, because `/` and `%2F` differ, in upper-case hex
 *   |   → %7C   a character that no URI may hold raw (RFC 3986, 2) gets its escape
 *   %z  → %25z  and so does a percent sign that escapes nothing
 *
 * Decoding may complete another escape (`%%300` → `%00`, `%%341` → `%41` → `A`), so it goes
 * on until nothing changes; that is what makes the result canonical, and it costs one pass.
 *
 * Takes ASCII only: what a URL parser has already serialised.
 */
const ESCAPE = /%[0-9A-Fa-f]{2}/g;
const BARE_PERCENT = /%(?![0-9A-Fa-f]{2})/;
const ILLEGAL = /%(?![0-9A-Fa-f]{2})|["<>[\\\]^`{|}]/;
const EVERY_ILLEGAL = new RegExp(ILLEGAL, 'g');

export function uniformEscapes(text: string): string {
  let uniform = text;
  if (uniform.includes('%')) {
    uniform = BARE_PERCENT.test(uniform)
      ? decodeToTheEnd(uniform)
      : uniform.replace(ESCAPE, uniformEscape);
  }
  return ILLEGAL.test(uniform) ? uniform.replace(EVERY_ILLEGAL, escapeOf) : uniform;
}

/** Whether a byte value is one of `A-Z a-z 0-9 - . _ ~`. */
export function isUnreserved(byte: number): boolean {
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x7a && byte >= 0x41) return true;
  if (byte >= 0x30 && byte <= 0x39) return true;
  return byte === 0x2d || byte === 0x2e || byte === 0x5f || byte === 0x7e;
}

function uniformEscape(triple: string): string {
  const byte = Number.parseInt(triple.slice(1), 16);
  return isUnreserved(byte) ? String.fromCharCode(byte) : triple.toUpperCase();
}

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * The rare case: a stray `%` stands before something that decodes to hex digits. Characters
 * go on a stack, and an escape is settled when its second digit arrives; each settling
 * removes characters for good, so the time stays linear.
 */
function decodeToTheEnd(text: string): string {
  const done: string[] = [];
  for (let at = 0; at < text.length; at++) {
    done.push(text[at]!);
    while (settlesEscape(done)) {}
  }
  return done.join('');
}

/** Settles the escape on top of the stack; true when that put a decoded character there. */
function settlesEscape(done: string[]): boolean {
  const top = done.length;
  if (top < 3 || done[top - 3] !== '%') return false;
  const triple = `%${done[top - 2]}${done[top - 1]}`;
  if (BARE_PERCENT.test(triple)) return false;
  const settled = uniformEscape(triple);
  if (settled.length === 1) done.splice(top - 3, 3, settled);
  else done.splice(top - 2, 2, settled[1]!, settled[2]!);
  return settled.length === 1;
}
