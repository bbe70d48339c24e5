/**
 * The words of one page: its content streams in a row, and the forms that they call for, each with
 * the fonts and parts that it names.
 */
import { Content, type Patience, type Resources } from './content.ts';
import { textString } from './encodings.ts';
import type { PdfFile } from './file.ts';
import { type Font, openFont } from './font.ts';
import type { Layout } from './layout.ts';
import { IDENTITY, type Matrix, matrixOf, times } from './matrix.ts';
import { type Dict, isDict, Name, nameIn, Ref, Stream, type Value } from './objects.ts';
import type { PdfPage } from './pages.ts';

const FORM_DEPTH_MAX = 8;
const OPERATORS_MAX = 20_000_000;
const FONTS_MAX = 2_000;

export class PageText {
  readonly #file: PdfFile;
  readonly #layout: Layout;
  readonly #fonts = new Map<number, Font>();
  readonly #patience: Patience = { operators: OPERATORS_MAX };
  #depth = 0;

  constructor(file: PdfFile, layout: Layout) {
    this.#file = file;
    this.#layout = layout;
  }

  read({ dict, resources }: PdfPage): void {
    const contents = this.#file.resolve(dict.get('Contents'));
    const streams = Array.isArray(contents)
      ? contents.map((one) => this.#file.resolve(one))
      : [contents];
    const parts: Uint8Array[] = [];
    for (const stream of streams) {
      const bytes = stream instanceof Stream ? this.#file.unfiltered(stream) : undefined;
      // An operator never goes on in the next stream.
      if (bytes !== undefined) parts.push(bytes, LINE_END);
    }
    const content = new Content(IDENTITY, this.#resources(resources), this.#layout, this.#patience);
    content.run(parts.length === 2 ? (parts[0] as Uint8Array) : Buffer.concat(parts));
    this.#layout.endPage();
  }

  #resources(value: Value | undefined): Resources {
    const own = this.#file.dict(value);
    const named = (kind: string, name: string) => this.#file.dict(own.get(kind)).get(name);
    return {
      font: (name) => this.#font(named('Font', name)),
      form: (name, matrix) => this.#form(named('XObject', name), own, matrix),
      actualText: (properties) => {
        const part = properties instanceof Name ? named('Properties', properties.name) : properties;
        const text = this.#file.resolve(this.#file.dict(part).get('ActualText'));
        return text instanceof Uint8Array ? textString(text) : undefined;
      },
    };
  }

  #font(value: Value | undefined): Font | undefined {
    const key = value instanceof Ref ? value.num : -1;
    const known = this.#fonts.get(key);
    if (known !== undefined) return known;
    const dict = this.#file.resolve(value);
    if (!isDict(dict)) return undefined;
    const font = openFont(dict, this.#file);
    if (key >= 0 && this.#fonts.size < FONTS_MAX) this.#fonts.set(key, font);
    return font;
  }

  #form(value: Value | undefined, outer: Dict, matrix: Matrix): void {
    const stream = this.#file.resolve(value);
    if (!(stream instanceof Stream) || this.#depth >= FORM_DEPTH_MAX) return;
    if (nameIn(this.#file.resolve(stream.dict.get('Subtype'))) !== 'Form') return;
    const bytes = this.#file.unfiltered(stream);
    if (bytes === undefined) return;
    const own = matrixOf(
      this.#file.list(stream.dict.get('Matrix')).map((one) => this.#file.resolve(one)),
    );
    const resources = this.#resources(stream.dict.get('Resources') ?? (outer as Value));
    this.#depth++;
    new Content(times(own ?? IDENTITY, matrix), resources, this.#layout, this.#patience).run(bytes);
    this.#depth--;
  }
}

const LINE_END = Buffer.from('\n');
