/**
 * What makes a folder's crawl that crawl: the settings that decide which URLs belong to it.
 *
 * Kept in the folder as the text that one would write, so that an old folder can be compared
 * with today's table. A setting that the folder does not name was at its default then.
 */
import { ENTRIES, type Settings, valueIn, writeValue } from './settings.ts';

export type Identity = Readonly<Record<string, string>>;

const IDENTITY_ENTRIES = ENTRIES.filter(({ setting }) => setting.identity === true);

export function identityOf(settings: Settings): Identity {
  return Object.fromEntries(
    IDENTITY_ENTRIES.map((entry) => [entry.key, writeValue(entry, valueIn(settings, entry))]),
  );
}

export interface IdentityDifference {
  readonly key: string;
  readonly flag: string;
  /** As the folder was made. */
  readonly was: string;
  readonly now: string;
}

export function identityDifferences(folder: Identity, now: Identity): IdentityDifference[] {
  return IDENTITY_ENTRIES.flatMap((entry) => {
    const { key, flag, setting } = entry;
    const initial = writeValue(entry, setting.default);
    const was = Object.hasOwn(folder, key) ? (folder[key] ?? initial) : initial;
    const today = now[key] ?? initial;
    return was === today ? [] : [{ key, flag: `--${flag}`, was, now: today }];
  });
}
