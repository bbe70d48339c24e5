/**
 * The rules of a robots.txt, read once for all hosts that have the same: most of the web's files
 * are one of a few that some program wrote, and a file that is read takes some KB.
 *
 * Who asks for the same bytes again gets the same rules, and the bytes of the first.
 */
import type { RobotsRecord } from '../record/index.ts';
import { parseRobots, type Robots, robotsFromStatus } from '../robots/index.ts';

export interface ReadRobots {
  readonly record: RobotsRecord;
  readonly rules: Robots;
}

/** Longer ones are seldom the same. */
const SHARED_BYTES_MAX = 4_096;
/** Files remembered; past that it begins anew, and who has rules keeps them. */
const SHARED_MAX = 2_048;

interface Shared {
  readonly body: Uint8Array;
  readonly rules: Robots;
}

const shared = new Map<string, Shared>();

export function rulesOf(record: RobotsRecord): Robots {
  return readRobots(record).rules;
}

/** The record with its rules, both to be kept. */
export function readRobots(record: RobotsRecord): ReadRobots {
  const { status, body } = record;
  if (status < 200 || status >= 300) {
    return { record, rules: robotsFromStatus(status === 0 ? 'unreachable' : status) };
  }
  if (body.length > SHARED_BYTES_MAX) return { record, rules: parseRobots(body) };
  const found = sharedOf(body);
  return { record: { ...record, body: found.body }, rules: found.rules };
}

function sharedOf(body: Uint8Array): Shared {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const known = shared.get(text);
  if (known !== undefined) return known;
  if (shared.size >= SHARED_MAX) shared.clear();
  const made = { body: Uint8Array.from(body), rules: parseRobots(body) };
  shared.set(text, made);
  return made;
}
