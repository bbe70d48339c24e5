/** Start crawling: seeds, how urgent they are, how far to go from them. */
import { useState } from 'preact/hooks';
import type { Receipt } from './api-types.ts';
import { type ApiProblem, post, problemFrom } from './ask.ts';
import { Notice, Title, Trouble } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { sayMany } from './words.ts';

const LEAD = 'From these addresses the crawl follows links, within its scope and politely.';

interface Sown {
  readonly first: string;
  readonly receipt: Receipt;
}

export function Start() {
  const [state, setState] = useState<Sown | ApiProblem | 'sending' | undefined>();
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = seedsOf(form);
    if (body.urls.length === 0) return;
    setState('sending');
    try {
      const receipt = await post<Receipt>('/crawl/seeds', body);
      setState({ receipt, first: body.urls[0] as string });
    } catch (error) {
      setState(problemFrom(error));
    }
  };
  return (
    <>
      <Title name="Start crawling" lead={LEAD} />
      <form class="start" onSubmit={(event) => void submit(event)}>
        <Fields />
        <button type="submit" class="main" disabled={state === 'sending'}>
          {state === 'sending' ? 'Sending…' : 'Start crawling'}
        </button>
      </form>
      <div role="status">
        {state instanceof Error && <Trouble problem={state} />}
        {typeof state === 'object' && 'receipt' in state && <Received sown={state} />}
      </div>
    </>
  );
}

interface Seeds {
  readonly urls: string[];
  readonly priority: string;
  readonly crawl_depth?: number;
  readonly recrawl_ttl_hours?: number;
}

/** A line without a scheme is meant as https. */
function seedsOf(form: FormData): Seeds {
  const lines = String(form.get('urls')).split(/\s+/);
  const urls = lines
    .filter((line) => line !== '')
    .map((line) => (/^[a-z][a-z0-9+.-]*:/i.test(line) ? line : `https://${line}`));
  const depth = String(form.get('depth')).trim();
  const hours = String(form.get('hours')).trim();
  return {
    ...{ urls, priority: String(form.get('priority')) },
    ...(depth !== '' && { crawl_depth: Number(depth) }),
    ...(hours !== '' && { recrawl_ttl_hours: Number(hours) }),
  };
}

function Fields() {
  return (
    <>
      <div class="field tall">
        <label for="urls">Addresses, one a line</label>
        <textarea
          {...{ id: 'urls', name: 'urls', rows: 6, required: true, spellcheck: false }}
          placeholder="https://example.com/"
        />
      </div>
      <div class="fields">
        <div class="field">
          <label for="priority">Priority</label>
          <select id="priority" name="priority">
            <option value="normal">Normal</option>
            <option value="high">High</option>
            <option value="low">Low</option>
          </select>
        </div>
        <div class="field">
          <label for="depth">Links to follow</label>
          <input
            {...{ id: 'depth', name: 'depth', type: 'number', min: 0, max: 10_000, step: 1 }}
            placeholder="no limit of its own"
          />
        </div>
        <div class="field">
          <label for="hours">Fetch again if older than</label>
          <input
            {...{ id: 'hours', name: 'hours', type: 'number', min: 0, max: 87_600, step: 'any' }}
            placeholder="hours; empty for never"
          />
        </div>
      </div>
    </>
  );
}

function Received({ sown: { receipt, first } }: { readonly sown: Sown }) {
  const { queued_urls: queued, known_urls: known, refused_urls: refused } = receipt;
  const title = queued > 0 ? `${sayMany(queued, 'URL')} queued.` : 'Nothing new was queued.';
  return (
    <Notice title={title} isBad={queued === 0 && refused > 0}>
      {known > 0 && <p>{sayMany(known, 'URL was', 'URLs were')} known already.</p>}
      {refused > 0 && (
        <>
          <p>{sayMany(refused, 'URL was', 'URLs were')} refused:</p>
          <ul class="refused">
            {receipt.refused.map(({ url, reason }) => (
              <li key={url}>
                <Strange text={url} /> <span class="quiet">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="ways">
        <a href="#/">Watch it</a>
        <a href={urlAddress(first)}>See what became of the first</a>
      </p>
    </Notice>
  );
}
