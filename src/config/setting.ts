/**
 * One setting, and the three names that follow from its place in the table.
 *
 *   place    limits.maxTime        in a settings file: { "limits": { "maxTime": "2h" } }
 *   flag     --max-time            and `maxTime` as an option of the library
 *   variable ORB_LIMITS_MAX_TIME
 *   property settings.limits.maxTimeMs   the resolved value, its unit last
 */
import type { Kind, Suffix } from './kind.ts';

export interface Setting<V = unknown, S extends Suffix = Suffix> {
  readonly kind: Kind<NonNullable<V>, S>;
  readonly default: V;
  /** One sentence; the second and further lines of the help are wrapped from it. */
  readonly help: string;
  /** A value as one would write it on the command line. */
  readonly example: string;
  readonly short?: string;
  /** Other spellings of the flag that are taken. */
  readonly also?: readonly string[];
  /** Said instead of the default when it depends on something else. */
  readonly defaultText?: string;
  /** Part of what a crawl folder is: another value makes another crawl. */
  readonly identity?: boolean;
  /** The value is never repeated in a message. */
  readonly secret?: boolean;
  /** What others call it: names that are answered with this one. */
  readonly aliases?: readonly string[];
  /** Only meaningful on the command line and in the environment. */
  readonly notInFile?: boolean;
}

type Facts<V> = Omit<Setting<V>, 'kind' | 'default'>;

/** A setting that always has a value. */
export function setting<T, S extends Suffix>(
  kind: Kind<T, S>,
  initial: NoInfer<T>,
  facts: Facts<T>,
): Setting<T, S> {
  return { kind: kind as Kind<NonNullable<T>, S>, default: initial, ...facts };
}

/** A setting that is undefined until somebody gives it. */
export function optional<T, S extends Suffix>(
  kind: Kind<T, S>,
  facts: Facts<T | undefined>,
): Setting<T | undefined, S> {
  return { kind: kind as Kind<NonNullable<T>, S>, default: undefined, ...facts };
}

/** The resolved form of a section: `maxTime` of a duration becomes `maxTimeMs: number`. */
export type Resolved<S> = {
  readonly [N in keyof S & string as PropertyOf<N, S[N]>]: ValueOf<S[N]>;
};

type PropertyOf<N extends string, X> = X extends {
  kind: { suffix: infer U extends Suffix };
}
  ? `${N}${U}`
  : N;
type ValueOf<X> = X extends { default: infer V } ? V : never;

export function kebab(camel: string): string {
  return camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
