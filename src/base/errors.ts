/**
 * Our own world failing: a `CrawlError` has a code from this table, says what happened and
 * what to do next, and keeps its cause. What the web does to us is never an exception: see
 * `../fetch/outcome.ts`.
 *
 * Each code carries the exit code of a command that ends with it (L3).
 */
export const ERRORS = {
  E_USAGE: { exit: 2, what: 'the command line was not understood' },
  E_SEED: { exit: 2, what: 'a seed is not a URL that can be crawled' },
  E_CONFIG: { exit: 4, what: 'a setting is wrong' },
  E_CONTACT: { exit: 4, what: 'a crawl of public hosts needs a contact' },
  E_FOLDER_IN_USE: { exit: 8, what: 'another process owns the crawl folder' },
  E_FOLDER_SETTINGS: { exit: 4, what: 'the crawl folder was made with other settings' },
  E_FOLDER_FOREIGN: { exit: 4, what: 'the folder is not a crawl folder' },
  E_FOLDER_MISSING: { exit: 4, what: 'there is no crawl in that folder' },
  E_PLUGIN: { exit: 4, what: 'a plugin cannot be loaded' },
  E_OUTPUT_EXISTS: { exit: 4, what: 'the file or folder to be written is there already' },
  E_DISK_FULL: { exit: 3, what: 'the disk is full' },
  E_DISK_READONLY: { exit: 3, what: 'the folder cannot be written' },
  E_STORE_DAMAGED: { exit: 8, what: 'a store file is damaged' },
  E_STORE_NEWER: { exit: 4, what: 'the store was written by a newer version' },
  E_STORE_DOWN: { exit: 8, what: 'the store does not answer' },
  E_BROKER_DOWN: { exit: 8, what: 'the message broker does not answer' },
  E_BROKER_TOPIC: { exit: 4, what: 'a topic of the broker is not as a crawl needs it' },
  E_RING_REFUSED: { exit: 4, what: 'a ring does not let this node in' },
  E_RING_DOWN: { exit: 8, what: 'no node of the ring answers' },
  E_NO_PARSER: { exit: 8, what: 'no parser reads the pages of a node' },
  E_BLOB_CODEC: { exit: 8, what: 'a stored body needs a newer Node to be read' },
  E_NOTHING_FETCHED: { exit: 5, what: 'no page could be fetched' },
  E_INTERNAL: { exit: 1, what: 'a bug in Orbweaver' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export class CrawlError extends Error {
  readonly code: ErrorCode;
  /** What the person should do next, as an instruction. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CrawlError';
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return ERRORS[this.code].exit;
  }
}
