/** The `ParserPool` port on the caller's own thread: for one core, and for simulations. */
import { digest } from '../../content/index.ts';
import type { ParserPool } from '../../ports/parser-pool.ts';

export function inlinePool(): ParserPool {
  return { digest: async (page) => digest(page), close: async () => {} };
}
