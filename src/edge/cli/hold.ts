/** `orb hold`: what the law wants kept is not erased (G1). `orb complain`: what sites say (G3). */
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import { decisionOf, whoIs } from './erase.ts';
import { withAnswers } from './folder.ts';
import { formatNumber, jsonLine, safeText } from './format.ts';
import { withOutput } from './rows.ts';
import type { World } from './world.ts';

type Ended = Promise<number | Refusal>;

export async function holdCommand(resolution: Resolution, world: World): Ended {
  const decision = decisionOf(resolution, world);
  if ('mistakes' in decision) return decision;
  const { settings } = resolution;
  const { release } = settings.comply;
  const query = { ...decision.query, release };
  const report = await withAnswers(settings, world, (answers) => answers.hold(query));
  const what = safeText(report.subject.value, 500);
  const said = release ? `${what} is held no longer` : `${what} is kept until it is released`;
  const told = report.refused === undefined ? said : `Not done: ${report.refused}: ${what}`;
  const text = `${told}. It is line ${report.seq} of the audit trail.\n`;
  await withOutput(settings, world, (output) =>
    output.write(settings.output.json ? jsonLine(report) : text),
  );
  return exitCode(report.refused === undefined ? 'complete' : 'failed');
}

export async function complainCommand(resolution: Resolution, world: World): Ended {
  const { settings, seeds } = resolution;
  const { text: complaint, by, optOut } = settings.comply;
  if (complaint === undefined) return { mistakes: [NO_TEXT] };
  const query = { host: seeds[0] ?? '', text: complaint, by: whoIs(by, world), optOut };
  const report = await withAnswers(settings, world, (answers) => answers.complain(query));
  const denied = report.optedOut ? ' The host and those below it are never asked again.' : '';
  const count = `${formatNumber(report.total)} so far`;
  const text = `The complaint of ${safeText(report.host, 300)} is recorded, ${count}.${denied}\n`;
  await withOutput(settings, world, (output) =>
    output.write(settings.output.json ? jsonLine(report) : text),
  );
  return exitCode('complete');
}

const NO_TEXT = {
  code: 'E_USAGE',
  message: 'What was complained about is missing.',
  hint: 'Write it down: --text "too many requests at night"',
} as const;
