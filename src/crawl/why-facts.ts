/** What the story of a URL is told from: gathered by ask-why.ts, told by why.ts. */
import type { Instant } from '../base/instant.ts';
import type { Rule } from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { Politeness } from '../frontier/index.ts';
import type { HostRecord, RobotsRecord, Trace, UrlRecord } from '../record/index.ts';
import type { PolicyName } from '../recrawl/index.ts';
import type { ScopeVerdict } from '../url/index.ts';
import type { HostNotes } from './answers.ts';
import type { Job } from './job-view.ts';

export interface WhyFacts {
  readonly given: string;
  /** Undefined when what was given is no http(s) URL. */
  readonly url: string | undefined;
  readonly now: Instant;
  readonly isRunning: boolean;
  readonly scope: ScopeVerdict;
  /** Why a URL in scope would not be taken; `admit.ts` says it. */
  readonly refusal: string | undefined;
  /** It may not be asked any more (G1): who decided that, when and why. */
  readonly denial: Rule | undefined;
  readonly isBlockedHost: boolean;
  readonly record: UrlRecord | undefined;
  /** Whose it is; the crawl itself is one, too. */
  readonly job?: Job | undefined;
  /** The page that named it first, and the text of the link there. */
  readonly parent: { readonly record: UrlRecord; readonly text: string } | undefined;
  /** Of what is not HTML: what its plugin knows of it (X2). */
  readonly document?: Trace['document'] | undefined;
  /** The page that it nearly repeats. */
  readonly original: UrlRecord | undefined;
  readonly host: HostRecord | undefined;
  /** What was noticed about the host's pages, as far as it concerns this URL. */
  readonly notes: HostNotes;
  readonly robots: RobotsRecord | undefined;
  readonly politeness: Politeness;
  /** What the crawl is for (R5). */
  readonly purposes: readonly string[];
  /** How visits are spread, as far as a running crawl says so. */
  readonly policy: PolicyName | undefined;
  /** The last tries, oldest first. */
  readonly tries: readonly FetchEvent[];
}
