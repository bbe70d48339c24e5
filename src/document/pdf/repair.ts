/**
 * A file whose cross-references are broken, lost or cut off: every `12 0 obj` in it is found by
 * looking. The last of a number counts, as later ones replace earlier ones.
 */

import { readIndirect } from './indirect.ts';
import { latin1 } from './lexer.ts';
import { isDict, nameIn, Stream, type Value } from './objects.ts';
import { parseAt } from './parse.ts';
import { OBJECTS_MAX, type Place, type Places } from './xref.ts';

const OBJECT = /(?<!\d)(\d{1,9})[\t\n\f\r \0]{1,9}(\d{1,5})[\t\n\f\r \0]{1,9}obj/g;
const TRAILER = /trailer\s*<</g;
/** Object streams whose numbers are looked up in such a file. */
const KINDS_MAX = 20_000;

export interface Repaired extends Places {
  /** Numbers of the object streams, oldest first. */
  readonly objectStreams: readonly number[];
}

export function repairPlaces(bytes: Uint8Array): Repaired {
  const text = latin1(bytes, 0, bytes.length);
  const objects = new Map<number, Place>();
  const trailer = new Map<string, Value>();
  for (const match of text.matchAll(OBJECT)) {
    if (objects.size >= OBJECTS_MAX) break;
    objects.set(Number(match[1]), { at: match.index, gen: Number(match[2]) });
  }
  for (const match of text.matchAll(TRAILER)) {
    const dict = parseAt(bytes, match.index + 'trailer'.length);
    if (isDict(dict)) for (const [key, value] of dict) trailer.set(key, value);
  }
  const objectStreams = lookAtKinds(bytes, text, objects, trailer);
  return { objects, trailer, objectStreams };
}

/** Trailers in cross-reference streams, the catalog when no trailer names it, object streams. */
function lookAtKinds(
  bytes: Uint8Array,
  text: string,
  objects: ReadonlyMap<number, Place>,
  trailer: Map<string, Value>,
): number[] {
  const streams: number[] = [];
  let looked = 0;
  for (const [num, place] of objects) {
    if (!('at' in place)) continue;
    const head = text.slice(place.at, place.at + HEAD_CHARS);
    const kind = /\/Type\s*\/(XRef|ObjStm|Catalog)\b/.exec(head)?.[1];
    if (kind === undefined || ++looked > KINDS_MAX) continue;
    const value = readIndirect(bytes, place.at)?.value;
    const dict = value instanceof Stream ? value.dict : value;
    if (!isDict(dict) || nameIn(dict.get('Type')) !== kind) continue;
    if (kind === 'ObjStm') streams.push(num);
    else if (kind === 'Catalog') trailer.set('RecoveredRoot', dict as Value);
    else for (const key of ['Root', 'Info', 'Encrypt', 'ID']) copyKey(dict, trailer, key);
  }
  return streams;
}

const HEAD_CHARS = 400;

function copyKey(from: ReadonlyMap<string, Value>, to: Map<string, Value>, key: string): void {
  const value = from.get(key);
  if (value !== undefined) to.set(key, value);
}
