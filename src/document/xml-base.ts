/**
 * Where in an XML document one is, and what its links are resolved against: `xml:base` of the
 * elements around (each resolved against the one outside it).
 *
 * Depth beyond a limit is counted and nothing more: a hostile file may open elements for ever.
 */
import { localName } from '../page/xml.ts';
import { xmlAttribute } from '../page/xml-text.ts';

const DEPTH_MAX = 256;

export class XmlPlaces {
  readonly #names: string[] = [];
  readonly #bases: string[] = [];
  readonly #documentBase: string;
  #beyond = 0;

  constructor(documentBase: string) {
    this.#documentBase = documentBase;
  }

  open(name: string, attributes: string): void {
    if (this.#names.length >= DEPTH_MAX) {
      this.#beyond++;
      return;
    }
    const written = attributes.includes('xml:base')
      ? xmlAttribute(attributes, 'xml:base')
      : undefined;
    const outer = this.base;
    this.#names.push(localName(name));
    this.#bases.push(
      written !== undefined && URL.canParse(written, outer) ? new URL(written, outer).href : outer,
    );
  }

  /** Closes the nearest element of that name, with whatever was left open in it. */
  close(name: string): void {
    if (this.#beyond > 0) {
      this.#beyond--;
      return;
    }
    const at = this.#names.lastIndexOf(localName(name));
    if (at < 0) return;
    this.#names.length = at;
    this.#bases.length = at;
  }

  get base(): string {
    return this.#bases[this.#bases.length - 1] ?? this.#documentBase;
  }

  isIn(name: string): boolean {
    return this.#names.includes(name);
  }
}

/** RFC 3986, 5.1: a document may say where it belongs; only if it is an address of the web. */
export function documentBase(url: string, headers: Readonly<Record<string, string>>): string {
  const location = headers['content-location'];
  if (location === undefined || !URL.canParse(location, url)) return url;
  const { protocol, href } = new URL(location, url);
  return protocol === 'http:' || protocol === 'https:' ? href : url;
}

/** The first element's name, with its prefix, in lower case; '' when there is none. */
export function rootOf(start: Uint8Array): string {
  const isWide = start[1] === 0 || (start[0] ?? 0) >= 0xfe;
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  const text = isWide ? bytes.toString('latin1').replaceAll('\0', '') : bytes.toString('latin1');
  const bare = text.replace(
    /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!doctype[^>[]*(?:\[[\s\S]*?\]\s*)?>/gi,
    '',
  );
  return /^[^<]{0,16}<([A-Za-z_][\w.:-]*)/.exec(bare)?.[1]?.toLowerCase() ?? '';
}
