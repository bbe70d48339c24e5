/**
 * `orb audit`: proof from the crawl's own records.
 *
 *   politeness   how gently each host was asked, from the event log (P7)
 *   verify       is the trail of decisions whole (G1)?      list   the decisions themselves
 *   rules        denials and holds in force
 */
import type { AuditLine, Rule } from '../../comply/index.ts';
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import type { TrailVerdict } from '../../crawl/comply-answers.ts';
import { AUDIT_ROW, auditText } from './audit-text.ts';
import { withAnswers } from './folder.ts';
import { formatNumber, jsonLine } from './format.ts';
import { printRows, type RowShape, withOutput } from './rows.ts';
import type { World } from './world.ts';

type Ended = Promise<number | Refusal>;

export function auditCommand(resolution: Resolution, world: World): Ended {
  const [what] = resolution.seeds;
  if (what === 'verify') return verifyTrail(resolution, world);
  if (what === 'rules') return listRules(resolution, world);
  return what === 'list' ? listTrail(resolution, world) : auditPoliteness(resolution, world);
}

/** Ends with 1 when a host was asked too soon, so that a script can watch over it. */
async function auditPoliteness({ settings }: Resolution, world: World): Ended {
  const { host, maxRows } = settings.show;
  const query = { limit: maxRows, ...(host && { host }) };
  const audit = await withAnswers(settings, world, (answers) => answers.audit(query));
  if (settings.output.format === 'csv') {
    await printRows(each(audit.hosts), AUDIT_ROW, settings, world);
  } else {
    const text = settings.output.json ? jsonLine(audit) : auditText(audit);
    await withOutput(settings, world, (output) => output.write(text));
  }
  return exitCode(audit.violations > 0 ? 'failed' : 'complete');
}

/** Ends with 1 when a line is wrong, and names it. */
async function verifyTrail({ settings }: Resolution, world: World): Ended {
  const verdict = await withAnswers(settings, world, (answers) => answers.verifyTrail());
  const text = settings.output.json ? jsonLine(verdict) : verdictText(verdict);
  await withOutput(settings, world, (output) => output.write(text));
  return exitCode(verdict.bad === undefined ? 'complete' : 'failed');
}

function verdictText({ lines, bad, pending }: TrailVerdict): string {
  const begun = pending === 0 ? '' : `Begun and not ended: ${pending}; the next start ends it.\n`;
  if (bad !== undefined) return `Line ${bad.line} of audit.jsonl ${bad.problem}.\n${begun}`;
  return `The audit trail is whole: ${formatNumber(lines)} lines, each with its hash.\n${begun}`;
}

async function listTrail({ settings }: Resolution, world: World): Ended {
  await withAnswers(settings, world, (answers) =>
    printRows(answers.trail(), TRAIL_ROW, settings, world),
  );
  return exitCode('complete');
}

interface RuleInForce extends Rule {
  readonly effect: 'deny' | 'hold';
}

async function listRules({ settings }: Resolution, world: World): Ended {
  const { denials, holds } = await withAnswers(settings, world, (answers) => answers.compliance());
  const rules: RuleInForce[] = [
    ...denials.map((rule) => ({ effect: 'deny' as const, ...rule })),
    ...holds.map((rule) => ({ effect: 'hold' as const, ...rule })),
  ];
  await printRows(each(rules), RULE_ROW, settings, world);
  return exitCode('complete');
}

const RULE_ROW: RowShape<RuleInForce> = {
  text: ({ effect, kind, value, by, at, reason }) =>
    `${effect}  ${kind.padEnd(7)}  ${value}  by ${by} since ${at}: ${reason}`,
  json: (rule) => rule,
  columns: ['effect', 'kind', 'value', 'erases', 'by', 'at', 'reason'],
  cells: ({ effect, kind, value, erases, by, at, reason }) => [
    ...[effect, kind, value, erases, by, at, reason],
  ],
};

const TRAIL_ROW: RowShape<AuditLine> = {
  text: ({ seq, at, by, action, phase, subject, reason, outcome }) => {
    const came = outcome === undefined ? '' : ` → ${outcome}`;
    const what = `${action} ${phase}`.padEnd(16);
    return `${seq}  ${at}  ${what}  ${subject.value}  by ${by}: ${reason}${came}`;
  },
  json: (line) => line,
  columns: ['seq', 'at', 'by', 'action', 'phase', 'kind', 'subject', 'reason', 'outcome', 'hash'],
  cells: ({ seq, at, by, action, phase, subject, reason, outcome, hash }) => [
    ...[seq, at, by, action, phase, subject.kind, subject.value, reason, outcome, hash],
  ],
};

async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}
