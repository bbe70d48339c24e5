/**
 * Places where `<` is not markup: comments, and the inside of script, style, title and their
 * like. Each function answers where that place ends, in one pass and without going back.
 */
import { BANG, CLASS, DASH, ENDS_TAG_NAME, GREATER, LESS, SLASH } from './bytes.ts';

/** Past the comment that opened with `<!--` before `from`. `<!-->` and `--!>` end one too. */
export function endOfComment(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== GREATER) continue;
    if (bytes[at - 1] === DASH && bytes[at - 2] === DASH) return at + 1;
    const bang = bytes[at - 1] === BANG && at - 3 >= from;
    if (bang && bytes[at - 2] === DASH && bytes[at - 3] === DASH) return at + 1;
  }
  return bytes.length;
}

/** Past the next `>`: a doctype, `<?…>`, or a comment of the bogus kind. */
export function endOfBogusComment(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== GREATER) at++;
  return at < bytes.length ? at + 1 : at;
}

/** Where `</name` stands that ends this raw text; the end of the input if nowhere. */
export function endOfRawText(bytes: Uint8Array, from: number, name: string): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === LESS && bytes[at + 1] === SLASH && isName(bytes, at + 2, name)) return at;
  }
  return bytes.length;
}

/**
 * Where `</script` stands that ends this script. Inside `<!-- … -->` a script may hold a whole
 * `<script>…</script>` of its own, an old way to hide scripts that browsers still honour.
 */
export function endOfScript(bytes: Uint8Array, from: number): number {
  let escaped = false;
  let nested = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === GREATER && escaped && bytes[at - 1] === DASH && bytes[at - 2] === DASH) {
      escaped = nested = false;
    } else if (byte !== LESS) continue;
    else if (bytes[at + 1] === SLASH && isName(bytes, at + 2, 'script')) {
      if (!nested) return at;
      nested = false;
    } else if (escaped && !nested && isName(bytes, at + 1, 'script')) nested = true;
    else if (!escaped && opensComment(bytes, at)) {
      escaped = true;
      at += 3;
    }
  }
  return bytes.length;
}

function opensComment(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH;
}

/** `name` in any case, and then something that ends a tag's name. */
function isName(bytes: Uint8Array, at: number, name: string): boolean {
  const after = at + name.length;
  if (after >= bytes.length) return false;
  for (let i = 0; i < name.length; i++) {
    if (((bytes[at + i] as number) | 0x20) !== name.charCodeAt(i)) return false;
  }
  return ((CLASS[bytes[after] as number] as number) & ENDS_TAG_NAME) !== 0;
}
