/**
 * The environment: every variable that begins with ORB_ must be known; an empty one is as if
 * not set. `NO_COLOR` is the one foreign variable that is obeyed.
 */
import { type Given, type Mistake, unknownName } from './mistake.ts';
import { entryByEnvironment, entryByKey } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What other tools and tests call it. */
const SHORT: Readonly<Record<string, string>> = { ORB_CHROMIUM: 'ORB_RENDER_CHROMIUM' };

export function readEnvironment(env: Environment): { given: Given[]; mistakes: Mistake[] } {
  const given: Given[] = [];
  const mistakes: Mistake[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('ORB_') || value === undefined || value === '') continue;
    const entry = entryByEnvironment(SHORT[name] ?? name);
    if (entry !== undefined) given.push({ entry, origin: 'environment', place: name, value });
    else {
      const what = `The environment variable ${name}`;
      mistakes.push(unknownName(what, name, 'environment', (known) => known.environment));
    }
  }
  const color = entryByKey('output.color');
  const isColored = given.some(({ entry }) => entry === color);
  if (color !== undefined && (env.NO_COLOR ?? '') !== '' && !isColored) {
    given.push({ entry: color, origin: 'environment', place: 'NO_COLOR', value: 'false' });
  }
  return { given, mistakes };
}
