/** Pages to be read, and what they hold, in the words of `/parse/…` (K3); docs/api.md names them. */
import type { Frame } from '../../base/frames.ts';
import { type Digest, digestParts, type RawPage, READING_VERSION } from '../../content/index.ts';
import type { WorkLender } from '../../ports/work-lender.ts';
import { openWorkLender, type WorkPlace } from './work-lender.ts';

export interface ReadingPlace extends WorkPlace {
  /** Media types that its plugins read. */
  readonly types: readonly string[];
}

export function openReadingLender(place: ReadingPlace): WorkLender<RawPage, Digest> {
  return openWorkLender(place, {
    ...{ path: 'parse', version: READING_VERSION, more: { types: place.types } },
    jobOf: pageIn,
    partsOf: (made, { headers }) => digestParts(made, headers['content-encoding']),
  });
}

interface PageHead {
  readonly url: string;
  readonly kind: RawPage['kind'];
  readonly headers: Record<string, string>;
  readonly decoded_bytes_max: number;
  readonly agent: string;
  readonly links_max?: number;
  readonly query_charset?: string;
  readonly markdown?: RawPage['markdown'];
}

function pageIn({ head, body }: Frame): RawPage {
  const { url, kind, headers, agent, decoded_bytes_max, markdown, ...rest } = head as PageHead;
  const { links_max, query_charset } = rest;
  return {
    ...{ url, kind, body, headers, decodedBytesMax: decoded_bytes_max, agent },
    ...(links_max !== undefined && { linksMax: links_max }),
    ...(query_charset !== undefined && { queryCharset: query_charset }),
    ...(markdown && { markdown }),
  };
}
