/**
 * Takedown, hold, complaint and the trail of all of them (G1–G3), for tokens with the role
 * `comply`. Who did it is the name of the token, or the address that called where none is needed.
 */
import Type, { type Static } from 'typebox';
import { CrawlError } from '../../base/errors.ts';
import type { Answers } from '../../crawl/answers.ts';
import type { TakedownReport } from '../../crawl/comply-answers.ts';
import type { Lookups } from '../../crawl/serve-lookups.ts';
import type { WebAnswer, WebCall } from '../../ports/web-server.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { REGION, URL_HASH } from './page-view.ts';
import { problem } from './problem.ts';
import { bearerOf, findToken, type TokenEntry } from './tokens.ts';

export interface ComplyParts {
  readonly answers: Answers;
  readonly lookups: Lookups;
  readonly tokens: readonly TokenEntry[];
}

const REASON = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'For whoever asks later',
});
const SUBJECT = {
  url: Type.Optional(Type.String({ minLength: 1 })),
  host: Type.Optional(Type.String({ minLength: 1, description: 'With all its ports' })),
  subdomains: Type.Optional(Type.Boolean({ description: 'And every host below it' })),
  pattern: Type.Optional(Type.String({ minLength: 1, description: 'A whole URL; * is anything' })),
};
const SAID = Type.Object({ kind: Type.String(), value: Type.String() });
const REPORT = Type.Object({
  subject: SAID,
  refused: Type.Optional(Type.String()),
  audit_line: Type.Integer(),
  removed: Type.Object({
    records: Type.Integer(),
    bodies: Type.Integer(),
    events: Type.Integer(),
  }),
  kept: Type.Array(Type.String(), { description: 'What is still there, and why' }),
});
const RULE = Type.Object({
  kind: Type.String(),
  value: Type.String(),
  reason: Type.String(),
  by: Type.String(),
  at: Type.String(),
});
const LINE = Type.Object({
  ...{ seq: Type.Integer(), at: Type.String(), by: Type.String(), action: Type.String() },
  phase: Type.String({ description: 'intent, then done or refused' }),
  subject: Type.Object({}, { additionalProperties: true }),
  reason: Type.String(),
  of: Type.Optional(Type.Integer({ description: 'The intent that this line ends' })),
  outcome: Type.Optional(Type.String()),
  ...{ prev: Type.String(), hash: Type.String() },
});
const HELD = { what: 'A legal hold forbids it; the refusal is in the trail' };
const COMPLY = { role: 'comply' } as const;

export function complyEndpoints(parts: ComplyParts): readonly Endpoint[] {
  return [
    ...[deletion(parts), takedowns(parts), denylist(parts), lifting(parts), holds(parts)],
    ...[complaints(parts), trail(parts), verdict(parts)],
  ];
}

function deletion({ answers, lookups, tokens }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'DELETE', path: '/pages/{url_hash}' },
    summary: 'Take a page down: erase it, and never ask for it again',
    params: Type.Object({ url_hash: URL_HASH }, CLOSED),
    query: Type.Object({ reason: REASON }, CLOSED),
    answers: {
      200: { what: 'What was removed, and what was kept', schema: REPORT },
      404: { what: 'The crawl has never heard of it' },
      409: HELD,
    },
    async handle({ params, query, call }) {
      const page = await lookups.page(Buffer.from(params.url_hash, 'hex'));
      if (page === undefined) return problem('not-found', 'The crawl has never heard of it.');
      const said = { reason: query.reason, by: whoOf(call, tokens) };
      return reported(() => answers.takeDown({ url: page.url, ...said, erase: true }));
    },
  });
}

function takedowns({ answers, tokens }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'POST', path: '/takedowns' },
    summary:
      'Deny a URL, a host or a pattern for ever, and erase what is kept of it; or erase a region',
    body: Type.Object(
      {
        ...{ ...SUBJECT, region: Type.Optional(REGION), reason: REASON },
        erase: Type.Optional(Type.Boolean({ default: true })),
      },
      CLOSED,
    ),
    isKeyed: true,
    answers: { 200: { what: 'What was removed, and what was kept', schema: REPORT }, 409: HELD },
    handle: ({ body: { erase = true, ...subject }, call }) =>
      reported(() => answers.takeDown({ ...subject, by: whoOf(call, tokens), erase })),
  });
}

function denylist({ answers }: ComplyParts): Endpoint {
  return endpoint({
    ...{ method: 'GET', role: 'read', path: '/denylist' },
    summary: 'What is never asked for, what is held, and how many complaints there were',
    answers: {
      200: {
        what: 'All that is in force',
        schema: Type.Object({
          denials: Type.Array(RULE),
          holds: Type.Array(RULE),
          complaints: Type.Integer(),
          takedowns: Type.Integer(),
        }),
      },
    },
    async handle() {
      const { denials, holds, complaints, takedowns } = await answers.compliance();
      const shown = ({ kind, value, reason, by, at }: Static<typeof RULE>) => {
        return { kind, value, reason, by, at };
      };
      const rules = { denials: denials.map(shown), holds: holds.map(shown) };
      return jsonAnswer(200, { ...rules, complaints, takedowns });
    },
  });
}

function lifting({ answers, tokens }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'POST', path: '/denylist/lift' },
    summary: 'End a denial, as it was decided: it may be asked for again; what was erased stays so',
    body: Type.Object({ ...SUBJECT, reason: REASON }, CLOSED),
    isKeyed: true,
    answers: {
      200: {
        what: 'It is in the trail',
        schema: Type.Object({ subject: SAID, audit_line: Type.Integer() }),
      },
      409: { what: 'No such denial is in force' },
    },
    handle: ({ body, call }) => reported(() => answers.lift({ ...body, by: whoOf(call, tokens) })),
  });
}

function holds({ answers, tokens }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'POST', path: '/holds' },
    summary: 'Hold what must not be erased, or release it',
    body: Type.Object(
      { ...SUBJECT, reason: REASON, release: Type.Optional(Type.Boolean({ default: false })) },
      CLOSED,
    ),
    isKeyed: true,
    answers: {
      200: {
        what: 'It is in the trail',
        schema: Type.Object({ subject: SAID, audit_line: Type.Integer() }),
      },
      409: { what: 'No such hold is in force' },
    },
    handle: ({ body: { release = false, ...subject }, call }) =>
      reported(() => answers.hold({ ...subject, by: whoOf(call, tokens), release })),
  });
}

function complaints({ answers, tokens }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'POST', path: '/complaints' },
    summary: 'Record a complaint of a host, and if it wants, never ask it again',
    body: Type.Object(
      {
        host: Type.String({ minLength: 1 }),
        text: REASON,
        opt_out: Type.Optional(Type.Boolean({ default: false })),
      },
      CLOSED,
    ),
    isKeyed: true,
    answers: {
      200: {
        what: 'It is recorded',
        schema: Type.Object({
          host: Type.String(),
          total: Type.Integer(),
          audit_line: Type.Integer(),
          opted_out: Type.Boolean(),
        }),
      },
    },
    handle: ({ body: { host, text, opt_out: optOut = false }, call }) =>
      refusing(async () => {
        const made = await answers.complain({ host, text, by: whoOf(call, tokens), optOut });
        const { total, seq, optedOut } = made;
        return jsonAnswer(200, { host: made.host, total, audit_line: seq, opted_out: optedOut });
      }),
  });
}

const LINES_MAX = 1_000;

function trail({ answers }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'GET', path: '/audit' },
    summary: 'Lines of the audit trail, oldest first',
    query: Type.Object(
      {
        after: Type.Optional(Type.Integer({ minimum: 0, description: 'Lines behind this number' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LINES_MAX, default: 100 })),
      },
      CLOSED,
    ),
    answers: {
      200: {
        what: 'Some of its lines',
        schema: Type.Object({ lines: Type.Array(LINE) }),
      },
    },
    async handle({ query: { after = 0, limit = 100 } }) {
      const lines: object[] = [];
      for await (const line of answers.trail()) {
        if (line.seq <= after) continue;
        lines.push(line);
        if (lines.length === limit) break;
      }
      return jsonAnswer(200, { lines });
    },
  });
}

function verdict({ answers }: ComplyParts): Endpoint {
  return endpoint({
    ...{ ...COMPLY, method: 'GET', path: '/audit/verify' },
    summary: 'Whether the audit trail is as it was written',
    answers: {
      200: {
        what: 'The first line that is wrong, if one is',
        schema: Type.Object({
          lines: Type.Integer(),
          pending: Type.Integer(),
          bad: Type.Optional(Type.Object({ line: Type.Integer(), problem: Type.String() })),
        }),
      },
    },
    handle: async () => jsonAnswer(200, await answers.verifyTrail()),
  });
}

type Reported = Pick<TakedownReport, 'subject' | 'refused' | 'seq'>;

function reported(act: () => Promise<Reported>): Promise<WebAnswer> {
  return refusing(async () => {
    const { subject, refused, seq, ...rest } = await act();
    if (refused !== undefined)
      return problem('held', `Refused, line ${seq} of the trail: ${refused}`);
    const { kind, value } = subject;
    return jsonAnswer(200, { subject: { kind, value }, audit_line: seq, ...rest });
  });
}

/** A subject that cannot be read is the caller's mistake, not ours. */
async function refusing(act: () => Promise<WebAnswer>): Promise<WebAnswer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CrawlError) || error.code !== 'E_USAGE') throw error;
    return problem('invalid', error.message);
  }
}

function whoOf(call: WebCall, tokens: readonly TokenEntry[]): string {
  const given = bearerOf(call);
  const name = given === undefined ? undefined : findToken(tokens, given)?.name;
  return name === undefined ? `api (${call.remoteAddress})` : `api token ${name}`;
}
