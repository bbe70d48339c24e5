/** One request and its bounds (H4, Y2), and what is sent along. */
import { list } from '../kind.ts';
import { duration, integer, size } from '../kinds-plain.ts';
import { cookie, header, mediaType } from '../kinds-web.ts';
import { setting } from '../setting.ts';

const MB = 1024 * 1024;

export const fetch = {
  concurrency: setting(integer({ min: 1, max: 10_000 }), 100, {
    short: 'c',
    help: 'Requests under way at one time, over all hosts; one host never has more than one.',
    example: '200',
    aliases: ['threads', 'workers-per-host', 'max-concurrency', 'parallelism', 'jobs'],
  }),
  timeout: setting(duration({ min: 1 }), 30_000, {
    help: 'Longest time for one request, from its start to the last byte.',
    example: '1m',
    aliases: ['max-request-time', 'request-timeout', 'page-load-timeout'],
  }),
  connectTimeout: setting(duration({ min: 1 }), 10_000, {
    help: 'Longest time to connect, TLS included.',
    example: '5s',
  }),
  firstByteTimeout: setting(duration({ min: 1 }), 20_000, {
    help: 'Longest time until the answer begins.',
    example: '10s',
    aliases: ['read-timeout', 'headers-timeout'],
  }),
  maxBody: setting(size({ min: 1 }), 10 * MB, {
    help: 'Bytes of a body that are read as sent; the rest is cut off and the record says so.',
    example: '2mb',
    aliases: ['body-limit', 'max-response-size', 'max-file-size'],
  }),
  maxDecoded: setting(size({ min: 1 }), 30 * MB, {
    help: 'Bytes of a body after decompression.',
    example: '50mb',
  }),
  maxHeader: setting(size({ min: 1024, max: MB }), 64 * 1024, {
    help: 'Bytes of all the headers of an answer.',
    example: '32kb',
  }),
  types: setting(
    list(mediaType()),
    [
      ...['text/html', 'application/xhtml+xml', 'text/plain', 'text/markdown', 'text/xml'],
      ...['application/xml', 'application/rss+xml', 'application/atom+xml'],
      ...['application/rdf+xml', 'application/json', 'application/ld+json'],
      ...['application/feed+json', 'application/pdf'],
    ],
    {
      help: 'Media types to read; others stop at the headers. Give several with commas.',
      example: 'text/html,application/pdf',
      aliases: ['accept', 'content-types', 'mime-types'],
    },
  ),
  header: setting(list(header(), '\n'), [], {
    short: 'H',
    help: "Header sent with every request to the seeds' hosts; repeatable.",
    example: "'Accept-Language: en'",
    secret: true,
    aliases: ['headers', 'extra-header'],
  }),
  cookies: setting(list(cookie()), [], {
    help: "Cookie sent with every request to the seeds' hosts; repeatable.",
    example: 'session=abc',
    secret: true,
    aliases: ['cookie', 'load-cookies'],
  }),
};
