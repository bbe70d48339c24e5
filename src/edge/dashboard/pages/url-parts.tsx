/** The parts of a URL's page: its record, headers, versions, links in and out, its body. */
import { useState } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Link, LinkIn, Page, Versions } from './api-types.ts';
import { type ApiProblem, call, problemFrom } from './ask.ts';
import { Facts, Loading, Section, Trouble, When } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange, StrangeText } from './strange.tsx';
import { FetchRows, More } from './tables.tsx';
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
        ['Stored in', page.region && `region ${page.region}`],
        ['Content hash', page.content_hash && <code>{page.content_hash}</code>],
        ['Words hash', page.simhash && <code>{page.simhash}</code>],
        ['Key', <code key="key">{page.url_hash}</code>],
      ]}
    />
  );
}

export function Headers({ page }: OfPage) {
  const path = page.http_status === undefined ? '' : `/pages/${page.url_hash}?headers=true`;
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
  const list = useSlices<Link>(`/pages/${page.url_hash}/links?limit=20`, 'links');
  if (list.rows.length === 0 && list.problem === undefined) return null;
  return (
    <Section name="Links out" note="as its last visit found them">
      <ul class="links">
        {list.rows.map(({ target, text, rel }, i) => (
          <LinkRow key={i} url={target} said={[text, rel]} />
        ))}
      </ul>
      <More list={list} what="links" />
    </Section>
  );
}

/** Found by reading the links of other pages, so not before somebody wants to know. */
export function LinksIn({ page }: OfPage) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Section name="Links in" note="who named it first, and pages of its own host that link to it">
      {isAsked ? (
        <LinkedFrom page={page} />
      ) : (
        <button type="button" onClick={() => setIsAsked(true)}>
          Look for links to it
        </button>
      )}
    </Section>
  );
}

function LinkedFrom({ page }: OfPage) {
  const list = useSlices<LinkIn>(`/pages/${page.url_hash}/linked-from`, 'links');
  const { rows, isAsking, problem, more } = list;
  return (
    <>
      {rows.length === 0 && isAsking && <Loading what="the links of its host’s pages" />}
      {rows.length === 0 && !isAsking && problem === undefined && (
        <p class="quiet">
          {more === undefined ? 'No page of its host links to it.' : 'None so far.'} It may have
          been a seed, or named by another host.
        </p>
      )}
      <ul class="links">
        {rows.map(({ source, text, rel, is_first: isFirst }) => (
          <LinkRow key={source} url={source} said={[isFirst ? 'named it first' : '', text, rel]} />
        ))}
      </ul>
      <More list={list} what="links, from further pages of its host" />
    </>
  );
}

function LinkRow({ url, said }: { readonly url: string; readonly said: readonly string[] }) {
  return (
    <li>
      <a href={urlAddress(url)}>
        <Strange text={url} />
      </a>
      <span class="quiet">
        <Strange text={said.filter((part) => part !== '').join(' · ')} />
      </span>
    </li>
  );
}

/** What it was at each visit, as far as the end of the log tells. */
export function PageVersions({ page }: OfPage) {
  const path = page.last_fetched_at === undefined ? '' : `/pages/${page.url_hash}/versions`;
  const { value, problem, again } = useAsked<Versions>(path);
  if (path === '') return null;
  const note =
    value === undefined ? undefined : value.is_whole ? (
      'all of its visits'
    ) : (
      <>
        in the part of the log that was looked through, from <When at={value.since} /> on
      </>
    );
  return (
    <Section name="Versions" note={note}>
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && <Loading what="the log" />}
      {value !== undefined && value.versions.length === 0 && (
        <p class="quiet">The log has no visit of it.</p>
      )}
      {value !== undefined && value.versions.length > 0 && (
        <FetchRows
          fetches={value.versions}
          name="Visits, newest first"
          stored={page.content_hash}
        />
      )}
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
