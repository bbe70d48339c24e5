/**
 * The usage preferences of a robots.txt (R5): which of them holds for a path.
 *
 *   Content-Usage: train-ai=n              the whole site
 *   Content-Usage: /free/ train-ai=y       what is under /free/, instead
 *
 * A path is matched as in Allow and Disallow, and the longest decides alone (aipref-attach,
 * 'Content-Usage Rule Semantics'). Rules of one path add up, no before yes. Content-Signal is
 * read in the same way, and what the two kinds say adds up.
 */
import { fromOctets, type Rule, type Statement } from './groups.ts';
import { compileRules, type Matcher } from './matcher.ts';
import { comparablePattern, pathToMatch } from './octets.ts';
import { combineUsage, NO_USAGE, parseUsage, type Usage } from './usage.ts';

export interface UsageRules {
  usageOf(url: string): Usage;
}

const SHOWN_CHARS_MAX = 120;
const NOTHING_SAID: UsageRules = { usageOf: () => NO_USAGE };

export function usageRules(statements: readonly Statement[]): UsageRules {
  if (statements.length === 0) return NOTHING_SAID;
  const kinds = [...new Set(statements.map(({ key }) => key))];
  const parts = kinds.map((kind) => new PathUsage(statements.filter(({ key }) => key === kind)));
  return {
    usageOf(url) {
      const path = pathToMatch(url);
      let usage = NO_USAGE;
      for (const part of parts) usage = combineUsage(usage, part.usageOf(path));
      return usage;
    },
  };
}

/** The statements of one kind. */
class PathUsage {
  readonly #byRule = new Map<Rule, Usage>();
  readonly #matcher: Matcher;
  #elsewhere = NO_USAGE;
  #everything = NO_USAGE;

  constructor(statements: readonly Statement[]) {
    const byPattern = new Map<string, Usage>();
    for (const statement of statements) {
      const { path, text } = split(statement.value);
      const usage = parseUsage(statement.key, fromOctets(text), sourceOf(statement));
      this.#everything = combineUsage(this.#everything, usage);
      if (path === '') this.#elsewhere = combineUsage(this.#elsewhere, usage);
      else {
        const pattern = comparablePattern(path);
        byPattern.set(pattern, combineUsage(byPattern.get(pattern) ?? NO_USAGE, usage));
      }
    }
    for (const [pattern, usage] of byPattern) {
      this.#byRule.set({ allow: true, pattern, written: pattern, line: 0 }, usage);
    }
    this.#matcher = compileRules([[...this.#byRule.keys()]]);
  }

  /** What would take too long to find out is taken at its strictest. */
  usageOf(path: string): Usage {
    const rule = this.#matcher.decide(path);
    if (rule === 'too-costly') return this.#everything;
    return (rule && this.#byRule.get(rule)) ?? this.#elsewhere;
  }
}

function sourceOf({ key, value, line }: Statement): string {
  const shown = fromOctets(value.slice(0, SHOWN_CHARS_MAX));
  const name = key === 'content-usage' ? 'Content-Usage' : 'Content-Signal';
  return `robots.txt line ${line} (${name}: ${shown})`;
}

/** A path begins with a slash and ends at the first blank. */
function split(value: string): { path: string; text: string } {
  if (!value.startsWith('/')) return { path: '', text: value };
  const end = value.search(/[ \t]/);
  if (end < 0) return { path: value, text: '' };
  return { path: value.slice(0, end), text: value.slice(end).replace(/^[ \t]+/, '') };
}
