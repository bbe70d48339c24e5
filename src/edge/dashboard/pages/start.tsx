/** Start crawling: seeds, how urgent they are, how far to go from them, and when it is enough. */
import { useState } from 'preact/hooks';
import type { Receipt } from './api-types.ts';
import { type ApiProblem, post, problemFrom } from './ask.ts';
import { Field } from './dialog.tsx';
import { Notice, Title, Trouble } from './parts.tsx';
import { urlAddress } from './route.ts';
import { Strange } from './strange.tsx';
import { sayMany } from './words.ts';

const LEAD = 'A job: addresses to begin with, and how far to follow links from them.';

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
  readonly name?: string;
  readonly scope?: string;
  readonly limits?: { readonly pages?: number; readonly hours?: number };
}

/** A line without a scheme is meant as https. */
function seedsOf(form: FormData): Seeds {
  const lines = String(form.get('urls')).split(/\s+/);
  const urls = lines
    .filter((line) => line !== '')
    .map((line) => (/^[a-z][a-z0-9+.-]*:/i.test(line) ? line : `https://${line}`));
  const said = (name: string) => String(form.get(name)).trim();
  const number = (field: string, name: string) =>
    said(name) === '' ? {} : { [field]: Number(said(name)) };
  const limits = { ...number('pages', 'pages-max'), ...number('hours', 'hours-max') };
  return {
    ...{ urls, priority: said('priority') },
    ...number('crawl_depth', 'depth'),
    ...number('recrawl_ttl_hours', 'hours'),
    ...(said('name') !== '' && { name: said('name') }),
    ...(said('scope') !== '' && { scope: said('scope') }),
    ...(Object.keys(limits).length > 0 && { limits }),
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
        <Field id="name" label="Name">
          <input {...{ id: 'name', name: 'name', maxLength: 100 }} placeholder="to know it by" />
        </Field>
        <Field id="scope" label="Scope">
          <select id="scope" name="scope">
            <option value="">As the crawl itself</option>
            <option value="host">Hosts of these addresses</option>
            <option value="domain">Domains of these addresses</option>
            <option value="any">Any host</option>
          </select>
        </Field>
        <Field id="priority" label="Priority">
          <select id="priority" name="priority">
            <option value="normal">Normal</option>
            <option value="high">High</option>
            <option value="low">Low</option>
          </select>
        </Field>
        <NumberField id="depth" label="Links to follow" max={10_000} hint="no limit of its own" />
        <NumberField id="pages-max" label="Pages at most" min={1} hint="no limit" />
        <NumberField id="hours-max" label="Hours at most" isAny hint="no limit" />
        <NumberField
          {...{ id: 'hours', label: 'Fetch again if older than', max: 87_600, isAny: true }}
          hint="hours; empty for never"
        />
      </div>
    </>
  );
}

interface NumberProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly min?: number;
  readonly max?: number;
  readonly isAny?: boolean;
}

function NumberField({ id, label, hint, min = 0, max, isAny = false }: NumberProps) {
  const range = { min, step: isAny ? 'any' : 1, ...(max !== undefined && { max }) };
  return (
    <Field id={id} label={label}>
      <input {...{ id, name: id, type: 'number', placeholder: hint, ...range }} />
    </Field>
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
        <a href="#/jobs">To the jobs</a>
        <a href="#/">Watch it</a>
        <a href={urlAddress(first)}>See what became of the first</a>
      </p>
    </Notice>
  );
}
