/**
 * Seeds as arguments: a seed is a whole http: or https: URL.
 *
 * A bare `example.com` is not guessed at: http and https are two crawls. The hint says what to
 * write. Not here: the canonical form (../url/), and seeds from files.
 */
import { type Mistake, quoted } from './mistake.ts';

/** No mistake, or the one that says why the text is no seed. */
export function seedMistake(seed: string): Mistake[] {
  if (/^https?:\/\//i.test(seed) && URL.canParse(seed)) return [];
  return [
    {
      code: 'E_SEED',
      message: `The seed ${quoted(seed)} ${problemOf(seed)}.`,
      hint: hintFor(seed),
    },
  ];
}

function problemOf(seed: string): string {
  if (seed.trim() === '') return 'is empty';
  if (/^https?:/i.test(seed)) return 'is not a URL';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(seed)) return 'is not an http: or https: URL';
  return 'is not a whole URL';
}

function hintFor(seed: string): string {
  const looksLikeHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+([:/].*)?$|^localhost([:/].*)?$/i.test(seed);
  const isWhole = looksLikeHost && URL.canParse(`https://${seed}`);
  return `Write it as ${isWhole ? quoted(new URL(`https://${seed}`).href).slice(1, -1) : 'https://example.com/'}.`;
}
