/** What a crawl spends no more on: traps, soft 404s, farms, domains over budget (Q1, C3, C4). */
import { list } from '../kind.ts';
import { boolean, integer, number, text } from '../kinds-plain.ts';
import { setting } from '../setting.ts';

export const traps = {
  traps: setting(boolean(), true, {
    help: 'Cut off addresses without end, such as calendars, session ids and combined filters.',
    example: 'false',
    aliases: ['trap-detection', 'detect-traps'],
  }),
  allowShape: setting(list(text('SHAPE', 'a shape of addresses such as /wiki/*'), '\n'), [], {
    help: 'Never take addresses of this shape for a trap; as `orb why` writes it; repeatable.',
    example: '/wiki/*',
    aliases: ['not-a-trap', 'allow-trap'],
  }),
  soft404Share: setting(number({ min: 0.05, max: 1 }), 0.3, {
    help: "Share of a host's pages behind which one body stands that is no page.",
    example: '0.5',
  }),
  farmRate: setting(number({ min: 0.05, max: 1 }), 0.5, {
    help: 'Share of near-duplicates from which on a host is a content farm.',
    example: '0.7',
  }),
  farmBudget: setting(number({ min: 0, max: 1 }), 0.1, {
    help: 'What is left of the budget of a content farm.',
    example: '0.5',
  }),
  domainBudget: setting(integer({ min: 0 }), 10_000, {
    help: 'URLs of one domain that wait like others; more are asked last. 0 is no limit.',
    example: '100000',
  }),
  domainBudgetPerLink: setting(integer({ min: 0 }), 1_000, {
    help: 'How many more for each other domain that links to it.',
    example: '100',
  }),
};
