/** What is printed where (L4): stdout is data, stderr is for people. */
import { boolean, choice, text } from '../kinds-plain.ts';
import { optional, setting } from '../setting.ts';

export const output = {
  format: setting(choice('text', 'json', 'csv', 'markdown'), 'text', {
    help: 'Form of the data on stdout: text for people, json lines, csv, or pages as markdown.',
    example: 'csv',
    aliases: ['output-format'],
  }),
  json: setting(boolean(), false, {
    help: 'The same as --format json.',
    example: 'true',
    aliases: ['jsonl', 'ndjson'],
  }),
  output: optional(text('FILE', 'a file'), {
    short: 'o',
    also: ['out'],
    help: 'File for the data in place of stdout, or folder of an export; also --out.',
    example: 'pages.jsonl',
    aliases: ['output-file', 'output-document'],
  }),
  statsFile: optional(text('FILE', 'a file'), {
    help: 'File for the JSON summary at the end of a run.',
    example: 'stats.json',
    aliases: ['summary', 'stats', 'stats-filename'],
  }),
  logFormat: setting(choice('auto', 'pretty', 'json'), 'auto', {
    help: 'Form of the log on stderr; auto is pretty on a terminal and json elsewhere.',
    example: 'json',
    aliases: ['log', 'logging'],
  }),
  quiet: setting(boolean(), false, {
    short: 'q',
    help: 'Say nothing on stderr but errors.',
    example: 'true',
    aliases: ['silent'],
  }),
  verbose: setting(boolean(), false, {
    short: 'v',
    help: 'Say on stderr what happens to every URL.',
    example: 'true',
    aliases: ['debug'],
  }),
  progress: setting(choice('auto', 'never'), 'auto', {
    help: 'Live view on stderr, where that is a terminal.',
    example: 'never',
    aliases: ['no-progress', 'show-progress'],
  }),
  color: setting(boolean(), true, {
    help: 'Colour on a terminal; NO_COLOR in the environment turns it off too.',
    example: 'false',
    aliases: ['colour', 'no-colour', 'monochrome'],
  }),
};
