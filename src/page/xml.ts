/**
 * XML as a run of tokens: element opens, text, element closes. For sitemaps and feeds, which
 * are as often broken as not.
 *
 *   <a href="x">one &amp; two<![CDATA[ <3 ]]></a>
 *   open('a', ' href="x"', false)  text('one & two')  text(' <3 ')  close('a')
 *
 * Promises: one pass, never throws, whatever the text, and nothing is loaded: of the entities that
 * a DOCTYPE declares those that are plain text are that, the others nothing (xml-entities.ts); `&`
 * with a name that nobody declares stays as written.
 *
 * Repairs: `<` never stands inside a tag, so a tag that meets one was cut there, and reading
 * goes on. Text at the very end, with no `<` after it, may be cut short and is not given.
 *
 * Not here: bytes to text (xml-decode.ts); nesting, which only the reader understands.
 */
import { XmlEntities } from './xml-entities.ts';

export interface XmlReader {
  /** `attributes` is the raw text behind the name: see `xmlAttribute` in xml-text.ts. */
  open(name: string, attributes: string, empty: boolean): void;
  close(name: string): void;
  text(text: string): void;
  /** Asked between tokens; true stops the scan. */
  readonly done?: boolean;
}

export function scanXml(text: string, reader: XmlReader): void {
  const entities = new XmlEntities();
  let at = text.indexOf('<');
  while (at >= 0 && reader.done !== true) {
    const next = readMarkup(text, at, reader, entities);
    at = text.indexOf('<', next);
    const words = at > next ? entities.textOf(text.slice(next, at)) : '';
    if (words !== '') reader.text(words);
  }
}

/** Reads what starts with the `<` at this place; answers where it ends. */
function readMarkup(text: string, at: number, reader: XmlReader, entities: XmlEntities): number {
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at + 9);
    if (end >= 0) reader.text(text.slice(at + 9, end));
    return end < 0 ? text.length : end + 3;
  }
  if (text.startsWith('<?', at)) return endOf(text, '?>', at + 2);
  if (text.startsWith('<!', at)) {
    const end = doctypeEnd(text, at);
    entities.declare(text, at, end);
    return end;
  }
  return readTag(text, at, reader, entities);
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
}

/** A DOCTYPE may hold declarations in brackets, each with a `>` of its own. */
function doctypeEnd(text: string, at: number): number {
  const close = text.indexOf('>', at);
  if (close < 0) return text.length;
  const bracket = text.slice(at, close).indexOf('[');
  return bracket < 0 ? close + 1 : endOf(text, '>', endOf(text, ']', at + bracket));
}

const SLASH = 47;

function readTag(text: string, at: number, reader: XmlReader, entities: XmlEntities): number {
  const closing = text.charCodeAt(at + 1) === SLASH;
  const nameStart = closing ? at + 2 : at + 1;
  const nameEnd = endOfName(text, nameStart);
  const end = tagEnd(text, nameEnd);
  if (end < 0) return -end;
  const name = text.slice(nameStart, nameEnd);
  if (name === '') return end + 1;
  if (closing) {
    reader.close(name);
    return end + 1;
  }
  const empty = text.charCodeAt(end - 1) === SLASH;
  reader.open(name, entities.inTag(text.slice(nameEnd, empty ? end - 1 : end)), empty);
  if (empty) reader.close(name);
  return end + 1;
}

function endOfName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 62 || code === 60 || code === SLASH) break;
  }
  return at;
}

/**
 * The place of the `>` that ends the tag: outside quotes, or failing that any. Minus the
 * place to go on from when the tag is cut by another `<` or by the end.
 */
function tagEnd(text: string, from: number): number {
  let quote = 0;
  let inQuotes = -1;
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 60) break;
    if (quote !== 0) {
      if (code === quote) quote = 0;
      else if (code === 62 && inQuotes < 0) inQuotes = at;
    } else if (code === 62) return at;
    else if (code === 34 || code === 39) quote = code;
  }
  return inQuotes >= 0 ? inQuotes : -at;
}

/** The name without its prefix, in lower case. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** The prefix with its colon, or ''. */
export function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(':') + 1);
}
