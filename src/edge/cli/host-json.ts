/** A host in `--json`: instants as text, flags by name. */
import { HOST_FLAGS, type HostRecord } from '../../record/index.ts';
import { isoOf } from './rows.ts';

/** `class_set` is about who said it, not about the host. */
export function hostFlagNames(flags: number): string[] {
  const names = Object.keys(HOST_FLAGS) as (keyof typeof HOST_FLAGS)[];
  return names.filter((name) => name !== 'class_set' && (flags & HOST_FLAGS[name]) !== 0);
}

export function hostJson(host: HostRecord): object {
  const { lastFetchAt, turnAt, errorsSince, flags } = host;
  return {
    ...host,
    lastFetchAt: isoOf(lastFetchAt),
    turnAt: isoOf(turnAt),
    errorsSince: isoOf(errorsSince),
    flags: hostFlagNames(flags),
  };
}
