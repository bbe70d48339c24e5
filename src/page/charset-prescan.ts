/**
 * The encoding a page declares in its own first bytes: `<meta charset>`, `<meta http-equiv>`,
 * or else an XML declaration. The HTML standard's prescan, step by step: a small parser of its
 * own that knows tags, quotes and comments but no elements, so a meta inside a script counts.
 */
import { encodingOf } from './charset-labels.ts';

/** Browsers look no further. */
export const PRESCAN_BYTES = 1024;

export function declaredEncoding(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES));
  const text = head.toString('latin1');
  if (text.startsWith('<\0?\0x\0')) return 'UTF-16LE';
  if (text.startsWith('\0<\0?\0x')) return 'UTF-16BE';
  return new Prescan(text).run() ?? xmlEncoding(text);
}

/** `<?xml … encoding="…"?>` at the very start. */
export function xmlEncoding(text: string): string | undefined {
  if (!text.startsWith('<?xml')) return undefined;
  const end = text.indexOf('>');
  const found = /encoding[\0- ]*=[\0- ]*(["'])([^\0- ]*?)\1/.exec(text.slice(0, Math.max(end, 0)));
  return found === null ? undefined : notWide(encodingOf(found[2] ?? ''));
}

/** Bytes that could be read this far as ASCII are not UTF-16, whatever they say. */
function notWide(name: string | undefined): string | undefined {
  return name === 'UTF-16BE' || name === 'UTF-16LE' ? 'UTF-8' : name;
}

class Prescan {
  readonly #text: string;
  #at = 0;
  #name = '';
  #value = '';

  constructor(text: string) {
    this.#text = text;
  }

  run(): string | undefined {
    for (;;) {
      this.#at = this.#text.indexOf('<', this.#at);
      if (this.#at < 0) return undefined;
      const found = this.#markup();
      if (found !== undefined) return found;
      if (this.#at < 0 || this.#at >= this.#text.length) return undefined;
    }
  }

  #markup(): string | undefined {
    const text = this.#text;
    const at = this.#at;
    if (text.startsWith('<!--', at)) this.#jumpPast('-->', at + 2);
    else if (/^<meta[\t\n\f\r /]/i.test(text.slice(at, at + 6))) {
      this.#at = at + 5;
      return this.#meta();
    } else if (/^<\/?[A-Za-z]/.test(text.slice(at, at + 3))) {
      while (this.#at < text.length && !/[\t\n\f\r >]/.test(text[this.#at] ?? '')) this.#at++;
      while (this.#attribute());
    } else if (/^<[!/?]/.test(text.slice(at, at + 2))) this.#jumpPast('>', at);
    else this.#at++;
    return undefined;
  }

  #jumpPast(mark: string, from: number): void {
    const found = this.#text.indexOf(mark, from);
    this.#at = found < 0 ? this.#text.length : found + mark.length;
  }

  #meta(): string | undefined {
    const seen = new Set<string>();
    let gotPragma = false;
    let needPragma: boolean | undefined;
    let charset: string | undefined;
    let declared = false;
    while (this.#attribute()) {
      if (seen.has(this.#name)) continue;
      seen.add(this.#name);
      if (this.#name === 'http-equiv') gotPragma ||= this.#value === 'content-type';
      else if (this.#name === 'content' && !declared) {
        charset = encodingInContent(this.#value);
        if (charset === undefined) continue;
        declared = true;
        needPragma = true;
      } else if (this.#name === 'charset') {
        charset = encodingOf(this.#value);
        declared = true;
        needPragma = false;
      }
    }
    if (this.#at >= this.#text.length) return undefined;
    if (needPragma === undefined || (needPragma && !gotPragma)) return undefined;
    return charset === 'x-user-defined' ? 'windows-1252' : notWide(charset);
  }

  /** Reads one attribute, both halves in lower case; false at the end of the tag. */
  #attribute(): boolean {
    const text = this.#text;
    this.#skip(/[\t\n\f\r /]/);
    if (this.#at >= text.length) return false;
    if (text[this.#at] === '>') return false;
    this.#value = '';
    const nameAt = this.#at;
    this.#at++;
    while (this.#at < text.length && !/[=\t\n\f\r />]/.test(text[this.#at] ?? '')) this.#at++;
    this.#name = text.slice(nameAt, this.#at).toLowerCase();
    this.#skip(/[\t\n\f\r ]/);
    if (text[this.#at] !== '=') return this.#at < text.length;
    this.#at++;
    this.#skip(/[\t\n\f\r ]/);
    return this.#readValue();
  }

  #readValue(): boolean {
    const text = this.#text;
    const quote = text[this.#at];
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, this.#at + 1);
      this.#value = text.slice(this.#at + 1, end < 0 ? text.length : end).toLowerCase();
      this.#at = end < 0 ? text.length : end + 1;
      return end >= 0;
    }
    const valueAt = this.#at;
    while (this.#at < text.length && !/[\t\n\f\r >]/.test(text[this.#at] ?? '')) this.#at++;
    this.#value = text.slice(valueAt, this.#at).toLowerCase();
    return this.#at < text.length;
  }

  #skip(what: RegExp): void {
    while (this.#at < this.#text.length && what.test(this.#text[this.#at] ?? '')) this.#at++;
  }
}

/** `text/html; charset=…` inside a content attribute, as browsers dig it out. */
function encodingInContent(content: string): string | undefined {
  let at = 0;
  for (;;) {
    at = content.indexOf('charset', at);
    if (at < 0) return undefined;
    at += 'charset'.length;
    const rest = content.slice(at).replace(/^[\t\n\f\r ]+/, '');
    if (!rest.startsWith('=')) continue;
    const value = rest.slice(1).replace(/^[\t\n\f\r ]+/, '');
    const quote = value[0];
    if (quote === '"' || quote === "'") {
      const end = value.indexOf(quote, 1);
      return end < 0 ? undefined : encodingOf(value.slice(1, end));
    }
    return encodingOf(value.split(/[\t\n\f\r ;]/, 1)[0] ?? '');
  }
}
