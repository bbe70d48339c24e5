/**
 * The filters of streams: Flate, LZW, ASCII85, ASCIIHex, RunLength, with their predictors.
 *
 * Pictures' filters are not undone: undefined. Damaged data gives what came out before the damage.
 * What comes out is bounded by `bytesMax`.
 */
import { decodeBody } from '../../fetch/index.ts';
import { ascii85, asciiHex, lzw, runLength } from './filters-plain.ts';
import { type Dict, isDict, nameIn, numberIn, type Value } from './objects.ts';
import { unpredict } from './predictor.ts';

/** A chain longer than this is a game. */
const FILTERS_MAX = 8;

type Resolve = (value: Value | undefined) => Value;

export function unfilter(
  raw: Uint8Array,
  dict: Dict,
  resolve: Resolve,
  bytesMax: number,
): Uint8Array | undefined {
  const filters = listOf(resolve(dict.get('Filter') ?? dict.get('F')), resolve);
  const parms = listOf(resolve(dict.get('DecodeParms') ?? dict.get('DP')), resolve);
  if (filters.length > FILTERS_MAX) return undefined;
  let bytes: Uint8Array | undefined = raw;
  filters.forEach((filter, i) => {
    const parm = parms[i];
    const values = isDict(parm) ? parm : NO_PARMS;
    const number = (name: string, otherwise: number) =>
      numberIn(resolve(values.get(name)), otherwise);
    if (bytes !== undefined) bytes = undo(nameIn(filter), bytes, number, bytesMax);
  });
  return bytes;
}

const NO_PARMS: Dict = new Map();

function listOf(value: Value, resolve: Resolve): Value[] {
  if (value === null) return [];
  return Array.isArray(value) ? value.map(resolve) : [value];
}

function undo(
  filter: string,
  bytes: Uint8Array,
  number: (name: string, otherwise: number) => number,
  bytesMax: number,
): Uint8Array | undefined {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredict(inflate(bytes, bytesMax), number);
    case 'LZWDecode':
    case 'LZW':
      return unpredict(lzw(bytes, number('EarlyChange', 1), bytesMax), number);
    case 'ASCII85Decode':
    case 'A85':
      return ascii85(bytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return asciiHex(bytes);
    case 'RunLengthDecode':
    case 'RL':
      return runLength(bytes, bytesMax);
    case 'Crypt':
      return bytes;
    default:
      return undefined;
  }
}

/** Some writers put line ends before the data. */
function inflate(bytes: Uint8Array, bytesMax: number): Uint8Array {
  let from = 0;
  while (from < 2 && (bytes[from] === 10 || bytes[from] === 13)) from++;
  const { body, error } = decodeBody(bytes.subarray(from), 'deflate', bytesMax);
  return error?.startsWith('not ') ? bytes.subarray(0, 0) : body;
}
