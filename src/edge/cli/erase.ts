/**
 * `orb block` and `orb erase`: pages that are never asked again (G1, G3), and pages of which
 * nothing is kept either (G2). A crawl that runs in the folder does it itself.
 */
import { exitCode, type Mistake, type Refusal, type Resolution } from '../../config/index.ts';
import type { SubjectQuery, TakedownReport } from '../../crawl/comply-answers.ts';
import { withAnswers } from './folder.ts';
import { formatNumber, jsonLine, safeText } from './format.ts';
import { withOutput } from './rows.ts';
import type { World } from './world.ts';

type Ended = Promise<number | Refusal>;

export function blockCommand(resolution: Resolution, world: World): Ended {
  const { release } = resolution.settings.comply;
  return release ? lift(resolution, world) : takeDown(resolution, world, false);
}

async function lift(resolution: Resolution, world: World): Ended {
  const decision = decisionOf(resolution, world);
  if ('mistakes' in decision) return decision;
  const { settings } = resolution;
  const report = await withAnswers(settings, world, (answers) => answers.lift(decision.query));
  const what = safeText(report.subject.value, 500);
  const told =
    report.refused === undefined
      ? `${what} may be asked for again; \`orb recrawl\` does so now`
      : `Not done: ${report.refused}: ${what}`;
  const text = `${told}. It is line ${report.seq} of the audit trail.\n`;
  await withOutput(settings, world, (output) =>
    output.write(settings.output.json ? jsonLine(report) : text),
  );
  return exitCode(report.refused === undefined ? 'complete' : 'failed');
}

export function eraseCommand(resolution: Resolution, world: World): Ended {
  return takeDown(resolution, world, true);
}

/** What the flags name; a mistake when that is not one thing with a reason. */
export function decisionOf(
  { settings }: Resolution,
  world: World,
): { query: SubjectQuery & { reason: string; by: string } } | Refusal {
  const { url, pattern, storedIn: region, subdomains, reason, by } = settings.comply;
  const { host } = settings.show;
  const named = {
    ...{ ...(url && { url }), ...(host && { host }), ...(pattern && { pattern }) },
    ...(region && { region }),
  };
  const mistakes: Mistake[] = [];
  if (Object.keys(named).length !== 1) mistakes.push(NOT_ONE);
  if (reason === undefined) mistakes.push(NO_REASON);
  if (mistakes.length > 0) return { mistakes };
  return { query: { ...named, subdomains, reason: reason ?? '', by: whoIs(by, world) } };
}

/** Who runs the command, unless told. */
export function whoIs(by: string | undefined, { env }: World): string {
  return by ?? env.SUDO_USER ?? env.USER ?? env.LOGNAME ?? 'unknown';
}

const NOT_ONE = {
  code: 'E_USAGE',
  message: 'It must be clear what is meant.',
  hint: 'Name one of --url URL, --host HOST, --pattern PATTERN and, to erase, --stored-in REGION.',
} as const;

const NO_REASON = {
  code: 'E_USAGE',
  message: 'A reason is missing.',
  hint: 'Say why, for whoever asks later: --reason "request of the owner, ticket 4711"',
} as const;

async function takeDown(resolution: Resolution, world: World, erase: boolean): Ended {
  const decision = decisionOf(resolution, world);
  if ('mistakes' in decision) return decision;
  const { settings } = resolution;
  const query = { ...decision.query, erase };
  const report = await withAnswers(settings, world, (answers) => answers.takeDown(query));
  const text = settings.output.json ? jsonLine(report) : reportText(report, erase);
  await withOutput(settings, world, (output) => output.write(text));
  return exitCode(report.refused === undefined ? 'complete' : 'failed');
}

function reportText({ subject, refused, removed, kept, seq }: TakedownReport, erase: boolean) {
  const isRegion = subject.kind === 'region';
  const what = `${isRegion ? 'the region ' : ''}${safeText(subject.value, 500)}`;
  const line = `It is line ${seq} of the audit trail.`;
  if (refused !== undefined) return `Not erased: ${what} is ${safeText(refused, 500)}.\n${line}\n`;
  if (!erase) return `${what} is never asked again. ${line}\n`;
  const { records, bodies, events } = removed;
  const counts = `${formatNumber(records)} records, ${formatNumber(bodies)} bodies`;
  const lines = [`Erased of ${what}: ${counts}, ${formatNumber(events)} events.`];
  for (const one of kept) lines.push(`Kept: ${one}.`);
  lines.push(isRegion ? line : `It is never asked again. ${line}`);
  return `${lines.join('\n')}\n`;
}
