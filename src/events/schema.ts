/**
 * The messages of both topics as JSON Schema (E1): the contract with whoever reads them, printed
 * into docs/reference/events.schema.json. The compiler holds the fields against the types: one
 * that is new there, or not required any more, does not compile before it is told here.
 *
 * Open: readers ignore what they do not know, so fields may come without a new `v`.
 */
import { KINDS } from '../record/index.ts';
import type { FetchEvent } from './fetch-event.ts';
import type { Mention } from './mention.ts';

type Field = Readonly<Record<string, unknown>>;
type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
type Required<T> = { readonly [K in Exclude<keyof T, Optional<T>>]: Field };
type Left<T> = { readonly [K in Optional<T>]: Field };

const text = (description: string): Field => ({ type: 'string', description });
const whole = (description: string): Field => ({ type: 'integer', minimum: 0, description });
const amount = (description: string): Field => ({ type: 'number', minimum: 0, description });
const texts = (description: string): Field => ({
  ...{ type: 'array', items: { type: 'string' }, description },
});
const HASH = '^sha256:[0-9a-f]{64}$';

const PAGE_FIELDS: Required<FetchEvent> = {
  v: { const: 1, description: 'Version of the message; raised when a meaning changes.' },
  id: text('The same when one fetch is told twice.'),
  kind: {
    enum: ['page', 'sitemap', 'robots', 'probe', 'asset', 'erased'],
    description: 'What was asked; `erased` when the URL must be forgotten: no request was made.',
  },
  url: text('Canonical; `erased:` where the page had to be forgotten.'),
  host: text('Name, and port where it is not the usual one: the key of the message.'),
  address: text('IP address that answered; empty when none did.'),
  startedAt: amount('When the request was begun, in ms since 1970.'),
  answeredAt: amount('First byte, or failure: the next turn of the host counts from here.'),
  endedAt: amount('Last byte, or failure.'),
  delayMs: amount('Pause that the host was owed before its next request.'),
  status: { ...whole('HTTP status; 0 when there was no answer.'), maximum: 999 },
  bytes: whole('Of the body, decoded.'),
  urlHash: {
    ...{ type: 'string', pattern: `${HASH}|^$`, description: 'SHA-256 of the URL.' },
  },
};

const PAGE_FIELDS_LEFT: Left<FetchEvent> = {
  failure: text('Why there was no answer.'),
  contentType: text('As the server said it.'),
  contentHash: { type: 'string', pattern: HASH, description: 'SHA-256 of the body: its key.' },
  otherHashes: {
    ...{ type: 'array', items: { type: 'string', pattern: HASH } },
    description: 'Further bodies of a rendered page: as it was sent, and as a picture.',
  },
  depth: whole('Links from a seed.'),
  title: text('Of the page.'),
  links: whole('That were found in it.'),
  redirectTo: text('Where the answer points.'),
  flags: texts('What is special: noindex, truncated, rendered …'),
  usage: text('What its site allows: `ai-train=no, search=yes`.'),
  region: text('Tag that its body is stored under.'),
};

const MENTION_FIELDS: Omit<Required<Mention>, 'parent'> = {
  url: text('Canonical.'),
  kind: { enum: [...KINDS], description: 'What it is asked as.' },
  priority: amount('0 to 1.'),
  depth: whole('Links from a seed.'),
  hops: whole('Redirects in a row that led to it.'),
  outside: whole('How far outside the scope the page that named it is.'),
};

const MENTION_FIELDS_LEFT: Left<Mention> & { readonly parent: Field } = {
  parent: { type: 'string', pattern: '^([0-9a-f]{2})*$', description: 'Key of that page.' },
  claim: amount('What the link says for it.'),
  job: whole('Of whoever named it; left out for the crawl itself.'),
};

function objectOf(title: string, required: object, left: object) {
  const properties = { ...required, ...left } as Readonly<Record<string, Field>>;
  return { title, type: 'object', required: Object.keys(required), properties } as const;
}

export const PAGES_SCHEMA = objectOf('A message of `pages`', PAGE_FIELDS, PAGE_FIELDS_LEFT);

const MENTION = objectOf('A URL that somebody named', MENTION_FIELDS, MENTION_FIELDS_LEFT);

export const URLS_SCHEMA = objectOf(
  'A message of `urls`: mentions of one host',
  { v: PAGE_FIELDS.v, urls: { type: 'array', items: MENTION } },
  {},
);

/** Both, in one document. */
export const EVENTS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Messages of an Orbweaver cluster, version 1',
  description: 'UTF-8 JSON, one object a message. The key of a message is the host.',
  $defs: { pages: PAGES_SCHEMA, urls: URLS_SCHEMA },
} as const;
