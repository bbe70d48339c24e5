/** What to start from and where to keep it (L1). Seeds themselves are arguments. */
import { boolean, text, wordOr } from '../kinds-plain.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const crawl = {
  dir: optional(text('DIR', 'a folder'), {
    help: 'Folder that holds the whole crawl; the same folder given again resumes.',
    example: 'my-crawl',
    defaultText: '.orb/HOST of the first seed',
    aliases: ['folder', 'directory', 'resume', 'directory-prefix'],
  }),
  input: optional(text('FILE', 'a file, or - for standard input'), {
    short: 'i',
    help: 'File with one seed a line; - reads standard input.',
    example: 'seeds.txt',
    aliases: ['input-file', 'seeds', 'list', 'url-list'],
  }),
  sitemap: setting(wordOr(['auto', 'never'], webUrl()), 'auto', {
    help: 'Sitemaps to take URLs from: those that robots.txt names (auto), none, or this one.',
    example: 'https://example.com/sitemap.xml',
    aliases: ['sitemaps'],
  }),
  config: optional(text('FILE', 'a JSON file'), {
    help: 'Settings file; orb.config.json in the current folder is read without asking.',
    example: 'orb.json',
    notInFile: true,
    defaultText: 'orb.config.json if it exists',
  }),
  fresh: setting(boolean(), false, {
    help: 'Delete what the folder holds of an earlier crawl and start again.',
    example: 'true',
    aliases: ['overwrite', 'restart', 'force'],
  }),
  retryFailed: setting(boolean(), false, {
    help: 'Put the URLs that failed in an earlier run of this folder back into the queue.',
    example: 'true',
  }),
  dryRun: setting(boolean(), false, {
    help: 'Check settings, seeds and folder, say what would be done, and fetch nothing.',
    example: 'true',
    aliases: ['check'],
  }),
};
