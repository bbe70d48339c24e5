/**
 * Entities of an XML document's own, without what they are known for.
 *
 *   <!ENTITY site "https://h.example">            &site; is that text
 *   <!ENTITY file SYSTEM "file:///etc/passwd">    &file; is nothing, and nobody looks there
 *   <!ENTITY bomb "&bomb1;&bomb1;">               &bomb; is nothing: only plain text counts
 *   <!-- <!ENTITY site "https://old.example"> --> declares nothing
 *
 * Their texts are short, and add up to so much in a document; what is over it is nothing.
 */
import { decodeEntities } from './xml-text.ts';

const COMMENT_OR_DECLARATION =
  /<!--[\s\S]*?(?:-->|$)|<!ENTITY\s{1,16}([^\s%&;"'<>]{1,64})\s{1,16}(?:"([^"<%]{0,256})"\s{0,16}>|'([^'<%]{0,256})'\s{0,16}>)?/g;
/** Of references a plain text has only those that XML itself defines. */
const UNFOLDS = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const REFERENCE = /&([^\s%&;"'<>]{1,64});/g;
const OWN = /^(?:amp|lt|gt|quot|apos)$/;
const DECLARATIONS_MAX = 1_000;
const DECLARED_CHARS_MAX = 64 * 1024;
const TEXT_CHARS_MAX = 1_000_000;

export class XmlEntities {
  readonly #texts = new Map<string, string>();
  #charsLeft = TEXT_CHARS_MAX;

  /** Takes in what a DOCTYPE between these places declares. The first counts, XML's own before all. */
  declare(text: string, from: number, to: number): void {
    const declared = text.slice(from, Math.min(to, from + DECLARED_CHARS_MAX));
    for (const [, name, double, single] of declared.matchAll(COMMENT_OR_DECLARATION)) {
      if (this.#texts.size >= DECLARATIONS_MAX) return;
      if (name === undefined || this.#texts.has(name) || OWN.test(name)) continue;
      const value = double ?? single ?? '';
      this.#texts.set(name, UNFOLDS.test(value) ? '' : value);
    }
  }

  /** The text with all references undone, these and XML's own. */
  textOf(text: string): string {
    return decodeEntities(this.#unfolded(text));
  }

  /** The raw text of a tag with those that were declared undone; none may end its attribute. */
  inTag(attributes: string): string {
    return this.#unfolded(attributes, (text) => (/["']/.test(text) ? '' : text));
  }

  #unfolded(text: string, fit = (entity: string) => entity): string {
    if (this.#texts.size === 0 || !text.includes('&')) return text;
    return text.replace(REFERENCE, (whole, name) => {
      const entity = this.#textFor(name);
      return entity === undefined ? whole : fit(entity);
    });
  }

  #textFor(name: string): string | undefined {
    const text = this.#texts.get(name);
    if (text === undefined || text.length > this.#charsLeft) return text && '';
    this.#charsLeft -= text.length;
    return text;
  }
}
