/**
 * Entities of an XML document's own, without what they are known for.
 *
 *   <!ENTITY site "https://h.example">            &site; is that text
 *   <!ENTITY file SYSTEM "file:///etc/passwd">    &file; is nothing, and nobody looks there
 *   <!ENTITY bomb "&bomb1;&bomb1;">               &bomb; is nothing: only plain text counts
 *
 * Their texts are short, and add up to so much in a document; what is over it is nothing.
 */
import { decodeEntities } from './xml-text.ts';

const DECLARATION =
  /<!ENTITY\s{1,16}([^\s%&;"'<>]{1,64})\s{1,16}(?:"([^"<&%]{0,256})"\s{0,16}>|'([^'<&%]{0,256})'\s{0,16}>)?/g;
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
    for (const [, name = '', double, single] of declared.matchAll(DECLARATION)) {
      if (this.#texts.size >= DECLARATIONS_MAX) return;
      if (!this.#texts.has(name) && !OWN.test(name)) this.#texts.set(name, double ?? single ?? '');
    }
  }

  /** The text with all references undone, these and XML's own. */
  textOf(text: string): string {
    if (this.#texts.size === 0) return decodeEntities(text);
    return decodeEntities(text.replace(REFERENCE, (whole, name) => this.#textFor(name) ?? whole));
  }

  #textFor(name: string): string | undefined {
    const text = this.#texts.get(name);
    if (text === undefined || text.length > this.#charsLeft) return text && '';
    this.#charsLeft -= text.length;
    return text;
  }
}
