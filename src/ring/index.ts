/**
 * The ring: many nodes, no centre (D1 to D8).
 *
 *   id.ts   places on the circle, and ranges of it
 */
export {
  distance,
  HIGHEST,
  isBetween,
  isInRange,
  isPosition,
  isRangeWithin,
  LOWEST,
  next,
  POSITION_BITS,
  POSITION_BYTES,
  type Position,
  placeOf,
  plusPower,
  positionBytes,
  positionFrom,
  type Range,
  type Span,
  spansOf,
} from './id.ts';
