/**
 * How many columns a text takes on a terminal, and how it is cut to fit.
 *
 * Colour sequences take none, combining marks take none, wide characters (CJK, emoji) take two.
 * The table is coarse on purpose: too wide by one is a shorter line, too narrow is a broken view,
 * so whatever is in doubt counts as wide.
 */
const ESC = '\u001b';
const COLOR = new RegExp(`(${ESC}\\[[\\d;]*m)`, 'g');
const ZERO = /^[\p{M}\p{Cf}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]$|^\p{Emoji_Presentation}$|^[\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(COLOR, '')) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Cuts to `width` columns, the last of them `…`; colour that was on is turned off again. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let left = Math.max(0, width - 1);
  let out = '';
  for (const part of text.split(COLOR)) {
    if (part.startsWith(`${ESC}[`)) {
      out += part;
      continue;
    }
    for (const character of part) {
      left -= characterWidth(character);
      if (left < 0) return `${out}${width > 0 ? '…' : ''}${out.includes(ESC) ? `${ESC}[0m` : ''}`;
      out += character;
    }
  }
  return out;
}

/** Cuts the middle out: the host and the end of a URL say most. */
export function fitMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const characters = Array.from(text);
  const head = fitText(text, Math.ceil(width / 2));
  let tail = '';
  for (let at = characters.length - 1; at >= 0; at--) {
    const next = (characters[at] as string) + tail;
    if (textWidth(next) > Math.floor(width / 2)) break;
    tail = next;
  }
  return head + tail;
}
