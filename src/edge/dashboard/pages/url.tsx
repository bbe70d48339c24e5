/** One URL: why it was, was not or will be crawled, as a story; then all that is known of it. */
import { useState } from 'preact/hooks';
import type { Why } from './api-types.ts';
import { goTo } from './browser.ts';
import { Loading, Notice, Section, Title, Trouble } from './parts.tsx';
import { hostAddress, urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { TakeDown } from './takedown.tsx';
import { Body, Headers, Links, LinksIn, PageFacts, PageVersions } from './url-parts.tsx';
import { useAsked } from './use.ts';
import { VERDICT_WORDS } from './words.ts';

export function UrlPage({ url }: { readonly url: string }) {
  const path = url === '' ? '' : `/why?url=${encodeURIComponent(url)}`;
  const { value, problem, again } = useAsked<Why>(path);
  return (
    <>
      <Title name="Why a URL" lead="What became of a URL, step by step." />
      <UrlSearch id="why-url" url={url} />
      {url === '' && (
        <Notice title="Which URL?">
          <p>Paste one above. It need not be one that the crawl knows.</p>
        </Notice>
      )}
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {url !== '' && value === undefined && problem === undefined && <Loading what="its story" />}
      {value !== undefined && <Story why={value} again={again} />}
    </>
  );
}

interface SearchProps {
  readonly id: string;
  readonly url: string;
}

export function UrlSearch({ id, url }: SearchProps) {
  const [text, setText] = useState(url);
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') goTo(urlAddress(text.trim()));
  };
  return (
    <search aria-label="URLs">
      <form class="inline url-search" onSubmit={submit}>
        <label for={id}>URL</label>
        <input
          id={id}
          inputMode="url"
          value={text}
          placeholder="https://example.com/page"
          spellcheck={false}
          autoComplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Tell why</button>
      </form>
    </search>
  );
}

function Story({ why, again }: { readonly why: Why; readonly again: () => void }) {
  const { url, verdict, story, page, host, original_url: original } = why;
  return (
    <>
      <section aria-label="Story" class="story">
        <p class="story-url">
          <Strange text={url} />
        </p>
        <p class="verdict">{VERDICT_WORDS[verdict] ?? verdict}</p>
        <ol>
          {story.map((sentence) => (
            <li key={sentence}>
              <Strange text={sentence} />
            </li>
          ))}
        </ol>
        <p class="ways">
          {host !== undefined && <a href={hostAddress(host.host)}>Its host</a>}
          {original !== undefined && <a href={urlAddress(original)}>The page that it repeats</a>}
          {page?.redirect_to !== undefined && (
            <a href={urlAddress(page.redirect_to)}>Where it leads</a>
          )}
        </p>
      </section>
      {page !== undefined && (
        <>
          <Section name="Record">
            <div class="record">
              <PageFacts page={page} />
            </div>
          </Section>
          <Headers page={page} />
          <PageVersions page={page} />
          <LinksIn page={page} />
          <Links page={page} />
          <Body page={page} />
        </>
      )}
      {verdict !== 'not a URL' && (
        <Section name="Never again" note="on the request of its owner, or of a court">
          <TakeDown subject={{ url }} what="this page" onDone={again} />
        </Section>
      )}
    </>
  );
}
