/**
 * What canonicalisation made of a URL as a person wrote it, said in words.
 */
import { hostOf } from '../url/index.ts';

/** One sentence, or none when it was canonical already. */
export function spellingSentence(given: string, canonical: string): string | undefined {
  if (given === canonical) return undefined;
  const changes = changesOf(new URL(given), new URL(canonical));
  const tail = changes.length === 0 ? 'the two are spellings of one address' : changes.join('; ');
  return `You wrote ${given}; the crawl knows it as ${canonical}: ${tail}.`;
}

function changesOf(given: URL, canonical: URL): string[] {
  const changes: string[] = [];
  if (given.hash !== '') changes.push('what follows # is a place on the page, not a page');
  if (given.username !== '') changes.push('user names are not sent');
  if (hostOf(given.href) !== hostOf(canonical.href) && given.username === '') {
    changes.push(`www. was taken off, as --strip-www says`);
  }
  const kept = new Set(canonical.searchParams.keys());
  const dropped = [...new Set(given.searchParams.keys())].filter((name) => !kept.has(name));
  if (dropped.length > 0) {
    changes.push(
      `${dropped.join(', ')} in the query name${dropped.length === 1 ? 's' : ''} a visitor or a campaign, not the page`,
    );
  }
  if (given.pathname !== canonical.pathname)
    changes.push('the path was brought into its usual form');
  if (dropped.length === 0 && given.search !== canonical.search) {
    changes.push('the parameters were put in order');
  }
  return changes;
}
