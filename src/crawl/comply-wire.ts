/**
 * Decisions through the wire (ask-wire.ts). What comes from there is looked at field by field:
 * these write.
 */
import type { Answers } from './answers.ts';
import type { Compliance } from './comply.ts';
import type { ComplyAnswers, SubjectQuery } from './comply-answers.ts';

/** Before anything is decided, what was begun is ended: in a folder at rest this is the start. */
export function complyAnswersOf(compliance: Compliance): ComplyAnswers {
  return {
    takeDown: (query) => compliance.finish().then(() => compliance.takeDown(query)),
    lift: (query) => compliance.finish().then(() => compliance.lift(query)),
    hold: (query) => compliance.finish().then(() => compliance.hold(query)),
    complain: (query) => compliance.finish().then(() => compliance.complain(query)),
    compliance: async () => compliance.answer(),
    trail: () => compliance.trail(),
    verifyTrail: () => compliance.verify(),
  };
}

export function complyRows(
  answers: Answers,
  method: string,
  params: unknown,
): AsyncIterable<unknown> | undefined {
  const given = fieldsOf(params);
  switch (method) {
    case 'takeDown':
      return once(
        answers.takeDown({ ...subjectIn(given), ...saidIn(given), ...is(given, 'erase') }),
      );
    case 'lift':
      return once(answers.lift({ ...subjectIn(given), ...saidIn(given) }));
    case 'hold':
      return once(answers.hold({ ...subjectIn(given), ...saidIn(given), ...is(given, 'release') }));
    case 'complain':
      return once(answers.complain({ ...complaintIn(given), ...is(given, 'optOut') }));
    case 'compliance':
      return once(answers.compliance());
    case 'trail':
      return answers.trail();
    case 'verifyTrail':
      return once(answers.verifyTrail());
    default:
      return undefined;
  }
}

type One = (method: string, params: unknown) => Promise<unknown>;
type Rows = (method: string, params: unknown) => AsyncIterable<unknown>;

export function complyOver(one: One, rows: Rows): ComplyAnswers {
  return {
    takeDown: (query) => one('takeDown', query) as ReturnType<ComplyAnswers['takeDown']>,
    lift: (query) => one('lift', query) as ReturnType<ComplyAnswers['lift']>,
    hold: (query) => one('hold', query) as ReturnType<ComplyAnswers['hold']>,
    complain: (query) => one('complain', query) as ReturnType<ComplyAnswers['complain']>,
    compliance: () => one('compliance', {}) as ReturnType<ComplyAnswers['compliance']>,
    trail: () => rows('trail', {}) as ReturnType<ComplyAnswers['trail']>,
    verifyTrail: () => one('verifyTrail', {}) as ReturnType<ComplyAnswers['verifyTrail']>,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(params: unknown): Fields {
  return typeof params === 'object' && params !== null ? (params as Fields) : {};
}

function textIn(given: Fields, name: string): string {
  return typeof given[name] === 'string' ? given[name] : '';
}

function is<N extends string>(given: Fields, name: N): Record<N, boolean> {
  return { [name]: given[name] === true } as Record<N, boolean>;
}

function subjectIn(given: Fields): SubjectQuery {
  const names = ['url', 'host', 'pattern', 'region'] as const;
  const named = names.flatMap((name) => {
    const text = textIn(given, name);
    return text === '' ? [] : [[name, text] as const];
  });
  return { ...Object.fromEntries(named), ...is(given, 'subdomains') };
}

function saidIn(given: Fields): { reason: string; by: string } {
  return { reason: textIn(given, 'reason'), by: textIn(given, 'by') };
}

function complaintIn(given: Fields): { host: string; text: string; by: string } {
  return { host: textIn(given, 'host'), text: textIn(given, 'text'), by: textIn(given, 'by') };
}

async function* once(answer: Promise<unknown>): AsyncIterable<unknown> {
  yield await answer;
}
