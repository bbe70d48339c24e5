/** When pages are visited again (T1–T5). */
import { POLICIES } from '../../recrawl/policy-names.ts';
import { list } from '../kind.ts';
import { boolean, choice, wordOr } from '../kinds-plain.ts';
import { classedHost, dailyBudget } from '../kinds-recrawl.ts';
import { setting } from '../setting.ts';

export const recrawl = {
  keepFresh: setting(boolean(), false, {
    help: 'Never end: visit pages again as they are due, until stopped.',
    example: 'true',
    aliases: ['continuous', 'forever', 'daemon', 'monitor', 'watch'],
  }),
  recrawlPolicy: setting(choice(...POLICIES), 'halving', {
    help: 'How visits are spread: by each page, best for all, all alike, or none again.',
    example: 'optimal',
    aliases: ['refresh-policy', 'revisit-policy'],
  }),
  recrawlBudget: setting(wordOr(['auto'], dailyBudget()), 'auto', {
    help: 'Pages that --keep-fresh may visit again in a day, or a share of those it knows.',
    example: '10%',
    defaultText: 'no limit; 10%, and 1000 at least, for optimal',
    aliases: ['refresh-budget', 'recrawl-limit'],
  }),
  class: setting(list(classedHost()), [], {
    help: 'How quickly a host changes, in place of what is learned: news, generic or dormant.',
    example: 'www.example.com=news',
    aliases: ['host-class'],
  }),
};
