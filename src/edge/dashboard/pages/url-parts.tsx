/** The parts of a URL's page: its record, the headers of its answer, its links, its body. */
import { useState } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Link, Page } from './api-types.ts';
import { type ApiProblem, call, problemFrom } from './ask.ts';
import { Facts, Section, Trouble, When } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange, StrangeText } from './strange.tsx';
import { More } from './tables.tsx';
import { useAsked, useSlices } from './use.ts';

interface OfPage {
  readonly page: Page;
}

export function PageFacts({ page }: OfPage) {
  const strange = (text: string | undefined) =>
    text === undefined ? undefined : <Strange text={text} />;
  return (
    <Facts
      rows={[
        ['Title', strange(page.title)],
        ['State', page.state],
        ['Reason', strange(page.reason)],
        ['Status', page.http_status && String(page.http_status)],
        ['Type', strange(page.content_type)],
        ['Size', page.body_bytes === undefined ? undefined : sayBytes(page.body_bytes)],
        [
          'Took',
          page.whole_ms === undefined ? undefined : `${sayCount(Math.round(page.whole_ms))} ms`,
        ],
        ['From', page.remote_address],
        ['Depth', sayCount(page.depth)],
        ['Priority', page.priority.toFixed(3)],
        ['Visits', page.visits && `${page.visits}, ${page.changes ?? 0} with a change`],
        ['Failed', page.fail_count && String(page.fail_count)],
        ['First seen', <When key="first" at={page.first_seen_at} />],
        ['Last fetched', <When key="last" at={page.last_fetched_at} />],
        ['Last changed', <When key="changed" at={page.last_changed_at} />],
        ['Next visit', <When key="next" at={page.next_crawl_at} />],
        ['Usage', strange(page.usage)],
        ['Flags', page.flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')],
        ['Content hash', page.content_hash && <code>{page.content_hash}</code>],
        ['Words hash', page.simhash && <code>{page.simhash}</code>],
        ['Key', <code key="key">{page.url_hash}</code>],
      ]}
    />
  );
}

export function Headers({ page }: OfPage) {
  const path = page.http_status === undefined ? '' : `/pages/${page.url_hash}`;
  const { value } = useAsked<{ readonly headers: Record<string, string> }>(path);
  const rows = Object.entries(value?.headers ?? {});
  if (rows.length === 0) return null;
  return (
    <Section name="Headers" note="of its last answer">
      <dl class="headers">
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>
              <Strange text={name} />
            </dt>
            <dd>
              <Strange text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

export function Links({ page }: OfPage) {
  const list = useSlices<Link>(`/pages/${page.url_hash}/links?limit=50`, 'links');
  if (list.rows.length === 0 && list.problem === undefined) return null;
  return (
    <Section name="Links" note="as its last visit found them">
      <ul class="links">
        {list.rows.map(({ target, text, rel }, i) => (
          <li key={i}>
            <a href={urlAddress(target)}>
              <Strange text={target} />
            </a>
            <span class="quiet">
              <Strange text={[text, rel].filter((part) => part !== '').join(' · ')} />
            </span>
          </li>
        ))}
      </ul>
      <More list={list} what="links" />
    </Section>
  );
}

/** More than anybody reads, and little enough for a page. */
const SHOWN_BYTES = 200_000;

interface Shown {
  readonly text: string;
  readonly bytes: number;
}

export function Body({ page }: OfPage) {
  const [shown, setShown] = useState<Shown | ApiProblem | undefined>();
  if (page.content_hash === undefined) return null;
  const show = () => void bodyOf(page.url_hash).then(setShown);
  return (
    <Section name="Stored body" note="as text; nothing in it runs">
      {shown === undefined && (
        <button type="button" onClick={show}>
          Show the stored body
        </button>
      )}
      {shown instanceof Error && <Trouble problem={shown} />}
      {shown !== undefined && 'text' in shown && (
        <>
          <StrangeText text={shown.text} label="Stored body" />
          {shown.bytes > SHOWN_BYTES && (
            <p class="quiet">
              The first {sayBytes(SHOWN_BYTES)} of {sayBytes(shown.bytes)}.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

async function bodyOf(hash: string): Promise<Shown | ApiProblem> {
  try {
    const bytes = await (await call(`/pages/${hash}/content`)).arrayBuffer();
    const text = new TextDecoder().decode(bytes.slice(0, SHOWN_BYTES));
    return { text, bytes: bytes.byteLength };
  } catch (error) {
    return problemFrom(error);
  }
}
