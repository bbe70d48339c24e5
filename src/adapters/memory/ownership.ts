/**
 * The local way to run: this process owns the whole circle, so nothing is ever handed on.
 */
import { assert } from '../../base/assert.ts';
import type { Ownership } from '../../ports/ownership.ts';

export function localOwnership<Mention>(): Ownership<Mention> {
  return {
    isMine: () => true,
    async hand(mentions) {
      assert(mentions.length === 0, 'whoever owns every arc has no one to hand a mention to');
    },
  };
}
