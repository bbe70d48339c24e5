/**
 * What a region is called: any short, plain name that a crawl's nodes and tables agree on, such as
 * `eu` or `us-east-1`. Those of the built-in table are the codes of continents.
 */
const REGION_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** The same for a JSON schema. */
export const REGION_PATTERN = REGION_NAME.source;

export const CONTINENTS = ['af', 'an', 'as', 'eu', 'na', 'oc', 'sa'] as const;
export type Continent = (typeof CONTINENTS)[number];

/** Written out, a continent is the same region: whoever says `europe` is in `eu`. */
const WRITTEN_OUT: ReadonlyMap<string, Continent> = new Map([
  ['africa', 'af'],
  ['antarctica', 'an'],
  ['asia', 'as'],
  ['europe', 'eu'],
  ['north-america', 'na'],
  ['oceania', 'oc'],
  ['south-america', 'sa'],
]);

export function isRegionName(text: string): boolean {
  return REGION_NAME.test(text);
}

/** The one name of a region that has two. */
export function regionNamed(name: string): string {
  return WRITTEN_OUT.get(name) ?? name;
}
