/**
 * Fills the tables that the kernel reads: what bytes are, what tags do, which attributes matter.
 * They are made here, where lists of names can be written as lists of names.
 */
import { assert } from '../base/assert.ts';
import { ATTRIBUTE_NAMES } from './attributes.ts';
import { CLASS } from './bytes.ts';
import * as layout from './kernel-layout.ts';
import * as tags from './tags.ts';

export function fillTables(memory: Buffer): void {
  memory.set(CLASS, layout.CLASS_AT);
  memory.set(tags.GAP, layout.GAP_AT);
  memory.set(tags.HEAD_ONLY, layout.HEAD_ONLY_AT);
  memory.set(tags.ZONE, layout.ZONE_AT);
  memory.set(tags.BREAKOUT, layout.BREAKOUT_AT);
  memory.set(tags.SVG_ISLAND, layout.SVG_ISLAND_AT);
  memory.set(tags.MATH_ISLAND, layout.MATH_ISLAND_AT);
  for (const [i, name] of tags.names.entries()) addTag(memory, name, i + 1);
  memory.fill(0xff, layout.SHAPES_AT, layout.SHAPES_AT + 512);
  for (const [slot, name] of ATTRIBUTE_NAMES.entries()) addAttribute(memory, name, slot);
}

function addTag(memory: Buffer, name: string, number: number): void {
  const letters = Buffer.alloc(16);
  letters.write(name, 'latin1');
  const at = layout.TAGS_AT + hashOf(letters) * layout.TAG_BYTES;
  assert(memory.readInt32LE(at + 16) === 0, 'two tags share a slot: choose other TAG_SPREADs');
  memory.set(letters, at);
  memory.writeInt32LE(number, at + 16);
}

/** As in ../../kernel/tags.ts. */
function hashOf(letters: Buffer): number {
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => letters.readInt32LE(at)) as [
    ...[number, number, number, number],
  ];
  const first = Math.imul(a ^ (c << 3) ^ (d << 7), layout.TAG_SPREAD_A);
  return (first ^ Math.imul(b, layout.TAG_SPREAD_B)) >>> layout.TAG_HASH_SHIFT;
}

/** Length and first letter tell our names apart. */
function addAttribute(memory: Buffer, name: string, slot: number): void {
  const shape = (name.length << 5) | (name.charCodeAt(0) & 31);
  memory[layout.SHAPES_AT + shape] = slot;
  memory.write(name, layout.NAMES_AT + 16 * slot, 'latin1');
}
