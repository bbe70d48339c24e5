/**
 * `orb export FORM`: a crawl folder in the forms of other people's tools (B6), also while its
 * crawl runs. A file stands under its name only when it is whole, and nothing is written over.
 */
import type { TableName } from '../../archive/index.ts';
import { exitCode, type Mistake, type Refusal, type Resolution } from '../../config/index.ts';
import type { Answers } from '../../crawl/answers.ts';
import { exportWacz, exportWarc } from '../../crawl/export/index.ts';
import { markdownFrom } from '../../crawl/plan.ts';
import type { MarkdownOptions } from '../../readable/index.ts';
import {
  type ArchiveForm,
  archivePath,
  isArchiveForm,
  isTableForm,
  MARKDOWN_FORM,
  markdownFolder,
  type TableForm,
  tablePath,
  unknownForm,
} from './export-forms.ts';
import { exportMarkdown } from './export-markdown.ts';
import { tableEncoder, tableRows, writeTable } from './export-tables.ts';
import { archiveText, tableText } from './export-text.ts';
import { withAnswers } from './folder.ts';
import { many, safeText } from './format.ts';
import { damagedText, type Texts } from './markdown.ts';
import type { StopSignal, World } from './world.ts';

interface Task {
  readonly answers: Answers;
  readonly dir: string;
  readonly host: string | undefined;
  readonly out: string | undefined;
  readonly world: World;
  readonly reader: () => Texts['reader'];
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

export async function exportCommand(
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  const { settings, seeds, explicit } = resolution;
  const [form = ''] = seeds;
  const { what } = settings.show;
  const isMarkdown = form === MARKDOWN_FORM;
  if (!isMarkdown && !isArchiveForm(form) && !isTableForm(form)) {
    return { mistakes: [unknownForm(form)] };
  }
  const { output: out } = settings.output;
  if (!isTableForm(form) && explicit.has('show.what')) return { mistakes: [noTable(form, what)] };
  if (!isText(form) && out === '-') return { mistakes: [noText(form)] };
  const say = (text: string) => {
    if (!settings.output.quiet) world.stderr.write(`${text}\n`);
  };
  return untilStopped(world, say, (signal) =>
    withAnswers(settings, world, (answers, dir) => {
      const reader = () => world.openReader(settings);
      const task = { answers, dir, host: settings.show.host, out, world, reader, signal, say };
      if (isMarkdown) return markdown(task, markdownFrom(settings));
      return isArchiveForm(form) ? archive(form, task) : table(form as TableForm, what, task);
    }),
  );
}

async function archive(form: ArchiveForm, task: Task): Promise<number> {
  const { answers, dir, world, signal } = task;
  const path = archivePath(form, dir, task.out);
  const { seeds } = await answers.status();
  const asked = await firstOf(answers.captures({ ...hostOf(task), limit: 1 }));
  const archived = world.archiveOf(dir);
  const isArchived = (await archived.list()).length > 0;
  const job = {
    ...(isArchived && { archived: { files: archived, ...hostOf(task) } }),
    ...{
      answers,
      captures: answers.captures(hostOf(task)),
      files: world.newFiles,
      now: world.clock.now(),
      signal,
      seeds,
    },
    machine: world.hostname,
    software: softwareOf(world),
    userAgent: asked?.asked['user-agent'] ?? '',
    title: `Crawl of ${seeds.slice(0, 3).join(', ')}`,
  };
  const end =
    form === 'wacz' ? await exportWacz(job, path) : await exportWarc(job, path, form === 'cdxj');
  task.say(archiveText(end, path));
  return exitCode(end.told.damaged > 0 ? 'store' : 'complete');
}

async function markdown(task: Task, options: MarkdownOptions): Promise<number> {
  const { answers, world, signal } = task;
  const folder = markdownFolder(task.dir, task.out);
  const pages = answers.pages(hostOf(task));
  const texts = { answers, reader: task.reader() };
  const job = { pages, texts, files: world.newFiles, options, signal };
  const { written, damaged } = await exportMarkdown(job, folder);
  task.say(`${many(written, 'page')} as Markdown in ${safeText(folder, 200)}`);
  if (damaged > 0) task.say(damagedText(damaged));
  return exitCode(damaged > 0 ? 'store' : 'complete');
}

async function table(form: TableForm, what: TableName, task: Task): Promise<number> {
  const { answers, dir, world, signal } = task;
  const path = tablePath(form, what, dir, task.out);
  const rows = tableRows(answers, what, hostOf(task));
  const encoder = tableEncoder(form, what, softwareOf(world));
  const toStdout = (bytes: Buffer) => world.stdout.write(bytes.toString());
  if (path === undefined) {
    await writeTable(rows, encoder, toStdout, signal);
    return exitCode('complete');
  }
  const file = await world.newFiles.create(path);
  try {
    const count = await writeTable(rows, encoder, (bytes) => file.write(bytes), signal);
    await file.done();
    task.say(tableText(count, what, path));
  } catch (error) {
    await file.cancel();
    throw error;
  }
  return exitCode('complete');
}

/** Ctrl-C gives up what is half written, and says so. */
async function untilStopped(
  world: World,
  say: Task['say'],
  act: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = new AbortController();
  let heard: StopSignal | undefined;
  const leave = world.onSignal((name) => {
    heard = name;
    stop.abort();
  });
  try {
    return await act(stop.signal);
  } catch (error) {
    if (heard === undefined || !stop.signal.aborted) throw error;
    say('Stopped; what was half written is gone. Run the same again to begin anew.');
    return exitCode(heard === 'SIGINT' ? 'interrupted' : 'terminated');
  } finally {
    leave();
  }
}

function isText(form: string): boolean {
  return form === 'jsonl' || form === 'csv';
}

function hostOf({ host }: Task): { host?: string } {
  return host === undefined ? {} : { host };
}

function softwareOf({ version }: World): string {
  return `Orbweaver/${version}`;
}

function noTable(form: string, what: string): Mistake {
  return {
    code: 'E_USAGE',
    message: `${form} is made of whole pages and has no table of ${what}.`,
    hint: 'Leave --what out, or choose jsonl, csv or parquet.',
  };
}

function noText(form: string): Mistake {
  const message = `${safeText(form, 20)} is not text and cannot go to stdout.`;
  return { code: 'E_USAGE', message, hint: 'Name a file with --out.' };
}

/** A list that is left open waits in the crawl's socket, which does not wait for ever. */
async function firstOf<T>(rows: AsyncIterable<T>): Promise<T | undefined> {
  for await (const row of rows) return row;
  return undefined;
}
