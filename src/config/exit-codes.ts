/**
 * Exit codes tell the truth (L3): what a command ended as, for scripts.
 *
 * Each error code of `../base/errors.ts` ends in one of these; a test holds the two together.
 */
export const EXIT_CODES = {
  complete: { code: 0, what: 'complete: everything that belongs to the crawl is done' },
  failed: { code: 1, what: 'failed: a bug, or an error that no other code names' },
  usage: { code: 2, what: 'usage: the command line was not understood' },
  disk: { code: 3, what: 'disk: full, or not writable; free space, then run the same again' },
  configuration: {
    code: 4,
    what: 'configuration: a setting, a settings file or a folder is wrong',
  },
  nothingFetched: { code: 5, what: 'nothing fetched: no page could be fetched at all' },
  incomplete: {
    code: 6,
    what: 'finished but incomplete: URLs are left that could not be asked in time',
  },
  store: { code: 8, what: 'store: damaged, in use by another process, or unreachable' },
  browser: { code: 10, what: 'browser: pages needed one and none could be started' },
  interrupted: { code: 130, what: 'stopped by Ctrl-C (SIGINT); the same command resumes' },
  terminated: { code: 143, what: 'stopped by SIGTERM; the same command resumes' },
} as const;

export type ExitName = keyof typeof EXIT_CODES;

export function exitCode(name: ExitName): number {
  return EXIT_CODES[name].code;
}
