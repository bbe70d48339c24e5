/**
 * What a PDF is made of. Strings are bytes (they are text only to some readers), dictionaries are
 * maps, and a reference stands for an object that is numbered elsewhere in the file.
 */
export class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class Ref {
  readonly num: number;
  readonly gen: number;

  constructor(num: number, gen: number) {
    this.num = num;
    this.gen = gen;
  }
}

/** A word that is no value: an operator, a bracket, `obj`. */
export class Keyword {
  readonly word: string;

  constructor(word: string) {
    this.word = word;
  }
}

export class Stream {
  readonly dict: Dict;
  /** As it stands in the file: filtered, and decrypted where that was needed. */
  readonly raw: Uint8Array;

  constructor(dict: Dict, raw: Uint8Array) {
    this.dict = dict;
    this.raw = raw;
  }
}

export type Dict = ReadonlyMap<string, Value>;
export type Value = null | boolean | number | Uint8Array | Name | Ref | Stream | Value[] | Dict;

export function isDict(value: unknown): value is Dict {
  return value instanceof Map;
}

export function nameIn(value: Value | undefined): string {
  return value instanceof Name ? value.name : '';
}

export function numberIn(value: Value | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Why nothing, or no more, can be read of a PDF: said in the page's reason. */
export class PdfProblem extends Error {}
