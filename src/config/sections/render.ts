/** Pages that live by their scripts: whether, how many and with which browser (J1, J2). */
import { share } from '../kinds-amount.ts';
import { boolean, choice, duration, integer, text } from '../kinds-plain.ts';
import { optional, setting } from '../setting.ts';

export const render = {
  render: setting(choice('auto', 'never', 'always'), 'auto', {
    help: 'Run the scripts of pages in a Chromium: those that show little without, none, or all.',
    example: 'never',
    aliases: ['js', 'javascript', 'headless', 'browser', 'render-js'],
  }),
  screenshot: setting(boolean(), false, {
    help: 'Keep a picture of each page that is rendered.',
    example: 'true',
    aliases: ['screenshots', 'capture-screenshot'],
  }),
  renderShare: setting(share({ min: 0, max: 1 }), 0.05, {
    help: 'Share of pages that are rendered while others wait; when nothing else is to do, all are.',
    example: '0.2',
    aliases: ['render-budget'],
  }),
  renderPages: setting(integer({ min: 1, max: 32 }), 2, {
    help: 'Pages in the browser at one time.',
    example: '4',
    aliases: ['render-concurrency', 'browsers'],
  }),
  renderTimeout: setting(duration({ min: 500 }), 15_000, {
    help: "Longest time for a page's own scripts; waiting for a host's turn is not counted.",
    example: '30s',
    aliases: ['page-timeout', 'behavior-timeout'],
  }),
  renderScrolls: setting(integer({ min: 0, max: 100 }), 10, {
    help: 'How often a page is scrolled to its end, for lists that grow.',
    example: '3',
    aliases: ['scroll', 'max-scrolls'],
  }),
  chromium: optional(text('PATH', 'the path of a Chromium or Chrome'), {
    help: 'The browser to use, where none is found or another is wanted.',
    example: '/usr/bin/chromium',
    defaultText: 'one that is installed, or that of @sparticuz/chromium',
    aliases: ['chrome', 'executable-path', 'browser-path', 'chrome-path'],
  }),
};
