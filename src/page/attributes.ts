/**
 * The attributes that mean something to us, and their values in the tag that the kernel read last.
 * A value becomes a string when someone wants it.
 */
import { attributeText } from './attribute-text.ts';
import type { Kernel } from './kernel.ts';
import { VALUES_AT } from './kernel-layout.ts';

/** A slot number each. */
export const ATTRIBUTE = {
  href: 0,
  rel: 1,
  src: 2,
  name: 3,
  content: 4,
  httpEquiv: 5,
  lang: 6,
  action: 7,
  method: 8,
  xlinkHref: 9,
  encoding: 10,
} as const;

/** By slot. */
export const ATTRIBUTE_NAMES = [
  ...['href', 'rel', 'src', 'name', 'content', 'http-equiv', 'lang', 'action', 'method'],
  ...['xlink:href', 'encoding'],
];

export class TagAttributes {
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** An attribute's text, or nothing when the tag that was read doesn't have it. */
  value(slot: number): string | undefined {
    const { ints, bytes } = this.#kernel;
    const from = ints[(VALUES_AT >> 2) + 2 * slot] as number;
    const to = ints[(VALUES_AT >> 2) + 2 * slot + 1] as number;
    return from < 0 ? undefined : attributeText(bytes, from, to);
  }
}
