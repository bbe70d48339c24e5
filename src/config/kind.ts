/**
 * A kind of setting: how its value is written, read and said in a sentence.
 *
 * Flags and environment variables are text; the settings file and the library give JSON
 * values. Both go through the same `parse`, so a value means the same wherever it is given;
 * `json` says which JSON types may be written at all ("20" for a number is a mistake).
 *
 * A refusal is a predicate, such as `is not a whole number`; `mistake.ts` makes it a sentence.
 */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

export type JsonType = 'string' | 'number' | 'boolean';

/** What the name of a resolved value ends in: `timeout` is read as `timeoutMs`. */
export type Suffix = '' | 'Ms' | 'Bytes';

export interface Kind<T, S extends Suffix = Suffix> {
  /** The placeholder in the help: `--depth N`. Empty for a switch. */
  readonly form: string;
  /** Completes the sentence "Give …". */
  readonly expects: string;
  readonly unit: string;
  readonly suffix: S;
  readonly json: readonly JsonType[];
  /** For lists: what separates items inside one text; undefined for a single value. */
  readonly separator?: ',' | '\n';
  readonly min?: number;
  readonly max?: number;
  parse(text: string): Parsed<T>;
  /** Takes a value that the library's caller already holds in its final form. */
  adopt?(value: unknown): T | undefined;
  /** The inverse of `parse`, for help, reference pages and folder identities. */
  write(value: T): string;
}

export function isProblem<T>(parsed: Parsed<T>): parsed is { readonly problem: string } {
  return 'problem' in parsed;
}

/** Reads a JSON value by the rules of the kind; arrays are for lists only. */
export function parseJson<T>(kind: Kind<T>, value: unknown): Parsed<T> {
  if (Array.isArray(value)) {
    if (kind.separator === undefined) return { problem: 'is a list, and one value is wanted' };
    return parseItems(kind as unknown as ListKind<unknown>, value) as Parsed<T>;
  }
  const adopted = kind.adopt?.(value);
  if (adopted !== undefined) return { value: adopted };
  if (value === null || typeof value === 'object') {
    return { problem: `is ${value === null ? 'null' : 'an object'}, not ${kind.expects}` };
  }
  if (!kind.json.includes(typeof value as JsonType)) {
    return { problem: `is ${TYPE_NAMES[typeof value] ?? 'not a value'}, not ${kind.expects}` };
  }
  return kind.parse(String(value));
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a bare number',
  boolean: 'true or false',
};

export interface ListKind<T, S extends Suffix = Suffix> extends Kind<readonly T[], S> {
  readonly item: Kind<T, ''>;
}

/**
 * Several values: a repeated flag, one text with separators, or a JSON array. The separator
 * is a comma, or a new line for items in which commas are ordinary (patterns, headers).
 */
export function list<T>(item: Kind<T, ''>, separator: ',' | '\n' = ','): ListKind<T, ''> {
  const kind: ListKind<T, ''> = {
    item,
    form: item.form,
    expects: item.expects,
    unit: item.unit,
    suffix: '',
    json: item.json,
    separator,
    parse: (text) => parseItems(kind, text.split(separator)),
    adopt(value) {
      const one = item.adopt?.(value);
      return one === undefined ? undefined : [one];
    },
    write: (values) => values.map((value) => item.write(value)).join(separator),
  };
  return kind;
}

function parseItems<T>(kind: ListKind<T>, items: readonly unknown[]): Parsed<readonly T[]> {
  const values: T[] = [];
  for (const item of items) {
    if (typeof item === 'string' && item.trim() === '') continue;
    const parsed = parseJson(kind.item, typeof item === 'string' ? item.trim() : item);
    if (isProblem(parsed)) {
      return items.length === 1 ? parsed : { problem: `holds an item that ${parsed.problem}` };
    }
    values.push(parsed.value);
  }
  return { value: values };
}
