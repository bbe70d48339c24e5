/**
 * robots.txt (RFC 9309): may this agent ask for this URL, and which line says so?
 *
 * A file is read once and asked for thousands of URLs, nearly always by one agent. So the
 * agent's section is found and compiled at its first question and kept; after that a question
 * is a path and a lookup, and a file without rules for us answers at once.
 *
 * Promises: never throws, whatever the bytes; `/robots.txt` itself is always allowed (2.2.2);
 * reading and asking take time linear in the file and in the URL.
 *
 * Not here: whether this file governs that URL (scope.ts).
 */
import { productToken } from './agent.ts';
import { fromOctets, type RobotsFile, readFile, type Section } from './groups.ts';
import { compileRules, type Matcher } from './matcher.ts';
import { pathToMatch } from './octets.ts';
import type { Usage } from './usage.ts';
import { type UsageRules, usageRules } from './usage-rules.ts';

export interface Robots {
  /** `agent` is a product token or a whole User-Agent string; `url` absolute, or a path. */
  isAllowed(agent: string, url: string): RobotsVerdict;
  crawlDelayMs(agent: string): number | undefined;
  /** What `Content-Usage` and `Content-Signal` say of the URL (R5); of one that may be asked. */
  usage(agent: string, url: string): Usage;
  /** As written, without repeats; relative ones are for the reader of robots.txt to resolve. */
  readonly sitemaps: string[];
}

/** Without `line` and `rule` when no rule applied. */
export interface RobotsVerdict {
  readonly allowed: boolean;
  readonly line?: number;
  readonly rule?: string;
}

export const ALLOWED: RobotsVerdict = Object.freeze({ allowed: true });
const TOO_COSTLY: RobotsVerdict = Object.freeze({
  allowed: false,
  rule: 'too many wildcard rules to decide',
});

export function parseRobots(body: string | Uint8Array): Robots {
  return new ParsedRobots(readFile(body));
}

class ParsedRobots implements Robots {
  readonly sitemaps: string[];
  readonly #file: RobotsFile;
  #agent: string | undefined;
  #section: Section | undefined;
  #matcher: Matcher | undefined;
  #usage: UsageRules | undefined;

  constructor(file: RobotsFile) {
    this.#file = file;
    this.sitemaps = file.sitemaps;
  }

  isAllowed(agent: string, url: string): RobotsVerdict {
    const section = this.#sectionFor(agent);
    if (section === undefined) return ALLOWED;
    this.#matcher ??= compileRules(section.groups);
    const path = pathToMatch(url);
    if (path === '/robots.txt') return ALLOWED;
    const decision = this.#matcher.decide(path);
    if (decision === undefined) return ALLOWED;
    if (decision === 'too-costly') return TOO_COSTLY;
    const rule = `${decision.allow ? 'Allow' : 'Disallow'}: ${fromOctets(decision.written)}`;
    return { allowed: decision.allow, line: decision.line, rule };
  }

  crawlDelayMs(agent: string): number | undefined {
    let longest: number | undefined;
    for (const { delayMs } of this.#sectionFor(agent)?.remarks ?? []) {
      if (delayMs !== undefined) longest = Math.max(longest ?? 0, delayMs);
    }
    return longest;
  }

  usage(agent: string, url: string): Usage {
    const section = this.#sectionFor(agent);
    this.#usage ??= usageRules([
      ...this.#file.preferences,
      ...(section?.remarks ?? []).flatMap((remark) => remark.preferences),
    ]);
    return this.#usage.usageOf(url);
  }

  /** The agent's own section, else everybody's; remembered, as the next asker is the same. */
  #sectionFor(agent: string): Section | undefined {
    if (agent !== this.#agent) {
      const sections = this.#file.sections;
      this.#section = sections.get(productToken(agent)) ?? sections.get('*');
      this.#agent = agent;
      this.#matcher = undefined;
      this.#usage = undefined;
    }
    return this.#section;
  }
}
