/**
 * The exact command that goes on with a crawl: what was given on the command line, with the
 * folder named, and without what must not be repeated (`--fresh`, secrets, seeds from a pipe).
 */
import { ENTRIES, type Entry, isSwitch, valueIn, writeValue } from '../../config/index.ts';
import type { CrawlPlan } from './plan.ts';

const TYPED_SEEDS_MAX = 3;
const LEFT_OUT: ReadonlySet<string> = new Set([
  'crawl.dir',
  'crawl.fresh',
  'crawl.retryFailed',
  'crawl.dryRun',
  'crawl.input',
]);

/** `changes` replaces the values of settings, by their key. */
export function resumeCommand(
  plan: CrawlPlan,
  changes: Readonly<Record<string, string>> = {},
): string {
  const words = ['orb', 'crawl'];
  if (plan.typedSeeds.length <= TYPED_SEEDS_MAX) words.push(...plan.typedSeeds);
  words.push('--dir', plan.dir);
  for (const entry of ENTRIES) {
    const change = changes[entry.key];
    if (change !== undefined) words.push(`--${entry.flag}`, change);
    else if (plan.explicit.get(entry.key) === 'flag' && !LEFT_OUT.has(entry.key)) {
      words.push(...flagWords(entry, plan));
    }
  }
  return words.map(shellWord).join(' ');
}

function flagWords(entry: Entry, plan: CrawlPlan): string[] {
  const value = valueIn(plan.settings, entry);
  if (isSwitch(entry)) return [`--${value === true ? '' : 'no-'}${entry.flag}`];
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => {
    const item = Array.isArray(value) ? [one] : one;
    return [`--${entry.flag}`, entry.setting.secret ? '…' : writeValue(entry, item)];
  });
}

/** A word as a shell takes it; control characters cannot be typed and become `?`. */
export function shellWord(word: string): string {
  const typed = word.replace(/\p{C}/gu, '?');
  return /^[\w@%+=:,./-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", `'\\''`)}'`;
}
