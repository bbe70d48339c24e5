/**
 * `orb changes`: what is new, changed, gone or moved since an instant, or against an older crawl
 * of the same pages (B7), row by row.
 */
import { exitCode, type Refusal, type Resolution, type Settings } from '../../config/index.ts';
import { changesBetween } from '../../crawl/changes.ts';
import type { Change } from '../../recrawl/index.ts';
import { withAnswers } from './folder.ts';
import { isoOf, printRows, type RowShape } from './rows.ts';
import type { World } from './world.ts';

export async function changesCommand(
  { settings }: Resolution,
  world: World,
): Promise<number | Refusal> {
  const { since, against, host, maxRows } = settings.show;
  if ((since === undefined) === (against === undefined)) return { mistakes: [SINCE_OR_AGAINST] };
  const query = host === undefined ? {} : { host };
  const print = (changes: AsyncIterable<Change>) =>
    printRows(firstOf(changes, maxRows), CHANGE_ROW, settings, world);
  await withAnswers(settings, world, async (answers) => {
    if (since !== undefined)
      return print(answers.changes({ ...query, since: sinceAt(since, world) }));
    const older = await world.readFolder(against as string);
    try {
      return await print(
        changesBetween(
          () => older.answers.pages(query),
          () => answers.pages(query),
        ),
      );
    } finally {
      await older.close();
    }
  });
  return exitCode('complete');
}

const SINCE_OR_AGAINST = {
  code: 'E_USAGE',
  message: 'Changes are counted from something: an instant, or an older crawl.',
  hint: 'Give --since 7d, --since 2026-01-31, or --against FOLDER.',
} as const;

function sinceAt(since: NonNullable<Settings['show']['since']>, world: World): number {
  return 'at' in since ? since.at : world.clock.now() - since.agoMs;
}

async function* firstOf<T>(rows: AsyncIterable<T>, max: number): AsyncIterable<T> {
  let left = max === 0 ? Number.POSITIVE_INFINITY : max;
  for await (const row of rows) {
    if (left-- <= 0) return;
    yield row;
  }
}

/** `changed  2026-01-31T12:00:00.000Z  https://example.com/  Title` */
const CHANGE_ROW: RowShape<Change> = {
  text: ({ change, at, url, to, title }) =>
    `${change.padEnd(9)}${(isoOf(at) ?? '').padEnd(26)}${url}  ${to === '' ? title : `→ ${to}`}`,
  json: ({ change, url, at, to, title, status }) => ({
    ...{ change, url },
    ...(at > 0 && { at: isoOf(at) }),
    ...(to !== '' && { to }),
    ...(title !== '' && { title }),
    ...(status > 0 && { status }),
  }),
  columns: ['change', 'url', 'at', 'to', 'title', 'status'],
  cells: ({ change, url, at, to, title, status }) => [
    ...[change, url, isoOf(at), to, title, status || undefined],
  ],
};
