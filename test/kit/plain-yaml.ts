/**
 * Reads the little of YAML that our own files use, and refuses the rest: maps, lists, plain and
 * 'single-quoted' texts, folded texts (`>-`), comments. Every scalar is a text.
 */
export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

const PAIR = /^([A-Za-z_][\w-]*):(?: +(.*))?$/;
/** What a plain text may be: anything else means something in YAML, and has to be quoted. */
const PLAIN = /^[A-Za-z0-9/][\w./ -]*$/;

export function plainYaml(text: string): Yaml {
  const lines = text.split('\n').flatMap((line, i): Line[] => {
    const bare = line.trimEnd();
    if (/\t/.test(bare)) throw new SyntaxError(`line ${i + 1}: a tab`);
    if (/^ *(#|$)/.test(bare)) return [];
    const indent = bare.length - bare.trimStart().length;
    return [{ indent, text: bare.trimStart(), number: i + 1 }];
  });
  const reader = new Reader(lines);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #lines: Line[];

  constructor(lines: Line[]) {
    this.#lines = [...lines];
  }

  value(indent: number): Yaml {
    const [line] = this.#lines;
    if (line === undefined || line.indent !== indent)
      throw wrong(line, `not indented by ${indent}`);
    return line.text.startsWith('- ') ? this.#list(indent) : this.#map(indent);
  }

  end(): void {
    if (this.#lines.length > 0) throw wrong(this.#lines[0], 'belongs to nothing');
  }

  #list(indent: number): Yaml[] {
    const items: Yaml[] = [];
    while (this.#at(indent)?.text.startsWith('- ')) {
      const line = this.#lines.shift() as Line;
      const text = line.text.slice(2);
      if (PAIR.test(text)) {
        this.#lines.unshift({ ...line, indent: indent + 2, text });
        items.push(this.#map(indent + 2));
      } else items.push(scalar(text, line));
    }
    return items;
  }

  #map(indent: number): Yaml {
    const pairs: [string, Yaml][] = [];
    for (let line = this.#at(indent); line !== undefined; line = this.#at(indent)) {
      const [, key, rest] = PAIR.exec(line.text) ?? [];
      if (key === undefined) throw wrong(line, 'no key');
      if (pairs.some(([known]) => known === key)) throw wrong(line, `${key} again`);
      this.#lines.shift();
      pairs.push([key, this.#after(rest, line)]);
    }
    return Object.fromEntries(pairs);
  }

  #after(rest: string | undefined, line: Line): Yaml {
    if (rest === '>-') return this.#folded(line.indent);
    if (rest !== undefined) return scalar(rest, line);
    const next = this.#lines[0];
    if (next === undefined || next.indent <= line.indent) throw wrong(line, 'nothing follows');
    return this.value(next.indent);
  }

  #folded(indent: number): string {
    const parts: string[] = [];
    while ((this.#lines[0]?.indent ?? 0) > indent) parts.push((this.#lines.shift() as Line).text);
    return parts.join(' ');
  }

  #at(indent: number): Line | undefined {
    const [line] = this.#lines;
    if (line !== undefined && line.indent > indent) throw wrong(line, 'indented too far');
    return line?.indent === indent ? line : undefined;
  }
}

function scalar(text: string, line: Line): string {
  const quoted = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  if (!PLAIN.test(text)) throw wrong(line, `'${text}' has to be quoted`);
  return text;
}

function wrong(line: Line | undefined, why: string): SyntaxError {
  return new SyntaxError(line === undefined ? why : `line ${line.number}: ${why}`);
}
