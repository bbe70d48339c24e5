/**
 * How gently hosts are asked (P1–P4, F7).
 *
 * `delay` and `rate` say the same thing in two ways; resolved, both are there and agree.
 */
import { list } from '../kind.ts';
import { duration, integer, rate } from '../kinds-plain.ts';
import { hostRate } from '../kinds-web.ts';
import { setting } from '../setting.ts';

export const polite = {
  rate: setting(rate(), 1, {
    help: 'Requests a second to one host; max (none between) needs --allow-private.',
    example: '2',
    aliases: ['rate-limit', 'requests-per-second', 'limit-rate'],
  }),
  delay: setting(duration({ min: 0 }), 1_000, {
    help: 'Time between two requests to one host: another way to say --rate.',
    example: '2s',
    aliases: ['wait', 'download-delay', 'crawl-delay', 'sleep'],
  }),
  ipRate: setting(rate(), 1, {
    help: 'Requests a second to one IP address, over all the hosts that it serves.',
    example: '5',
    defaultText: 'the same as --rate',
  }),
  rateFor: setting(list(hostRate()), [], {
    help: 'Rate agreed with one host, in place of --rate.',
    example: 'www.example.com=5',
    aliases: ['host-rate', 'per-host-rate'],
  }),
  retries: setting(integer({ min: 0, max: 100 }), 3, {
    help: 'Further tries for a URL after a network error or a 5xx answer; for robots.txt at most 2.',
    example: '5',
    aliases: ['tries', 'retry', 'max-retries'],
  }),
  backoff: setting(duration({ min: 0 }), 30_000, {
    help: 'Wait before the first further try; doubles with each, with jitter.',
    example: '1m',
    aliases: ['waitretry', 'retry-delay'],
  }),
  maxBackoff: setting(duration({ min: 1 }), 86_400_000, {
    help: 'Longest wait before a further try.',
    example: '6h',
  }),
  hostQuotaPerDay: setting(integer({ min: 1 }), 100_000, {
    help: 'Requests to one host in 24 hours.',
    example: '10_000',
  }),
  hostNewPerDay: setting(integer({ min: 1 }), 1_000_000, {
    help: 'New URLs on one host in 24 hours, after which the host is paused for review.',
    example: '50_000',
  }),
};
