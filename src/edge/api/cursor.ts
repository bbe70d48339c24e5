/** Where the next slice of a list begins: a key, in hex, not to be read by anybody else. */
import Type from 'typebox';

const ROWS_DEFAULT = 100;
const ROWS_MAX = 1_000;

/** The part of a query that all lists take; `bytes` is the length of the list's keys. */
export function slicing(bytes: number) {
  return {
    cursor: Type.Optional(
      Type.String({
        ...{ pattern: `^[0-9a-f]{${bytes * 2}}$` },
        description: 'next_cursor of the slice before',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: ROWS_MAX, default: ROWS_DEFAULT })),
  };
}

/** A list may be short, or empty, and still not be the last one. */
export const NEXT_CURSOR = Type.Optional(
  Type.String({ description: 'Left out at the end of the list; a slice before it may be short' }),
);

export interface Sliced {
  readonly cursor?: string;
  readonly limit?: number;
}

export function limitOf({ limit }: Sliced): number {
  return limit ?? ROWS_DEFAULT;
}

export function keyOf({ cursor }: Sliced): Buffer | undefined {
  return cursor === undefined ? undefined : Buffer.from(cursor, 'hex');
}

export function nextOf(next: Buffer | undefined): { readonly next_cursor?: string } {
  return next === undefined ? {} : { next_cursor: next.toString('hex') };
}

/** For lists in another order than that of their keys: a place in it, as JSON, in base64url. */
export const PLACE_CURSOR = Type.Optional(
  Type.String({
    ...{ pattern: '^[A-Za-z0-9_-]{1,2000}$' },
    description: 'next_cursor of the slice before',
  }),
);

export function writePlace(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Undefined when it is no cursor of ours. */
export function readPlace(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
