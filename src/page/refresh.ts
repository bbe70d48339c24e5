/**
 * `<meta http-equiv="refresh" content="5; url=next.html">`, by the HTML standard's steps.
 *
 * The delay is in whole seconds (the standard drops the fraction), and a value without a URL
 * asks to load the page itself again.
 */
export interface RefreshContent {
  readonly delaySeconds: number;
  /** As written, not resolved; empty means the page itself. */
  readonly href: string;
}

const TIME = /^[\t\n\f\r ]*([0-9]*)(\.?)[0-9.]*/;
const SEPARATOR = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/;
const URL_KEY = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;
const SPACE_OR_SEPARATOR = /^[\t\n\f\r ;,]/;

export function parseRefresh(content: string): RefreshContent | undefined {
  const time = TIME.exec(content);
  if (time === null || (time[1] === '' && time[2] === '')) return undefined;
  const delaySeconds = Number(time[1]);
  const after = content.slice(time[0].length);
  if (after === '') return { delaySeconds, href: '' };
  if (!SPACE_OR_SEPARATOR.test(after)) return undefined;
  const target = after.replace(SEPARATOR, '').replace(URL_KEY, '');
  return { delaySeconds, href: unquote(target) };
}

function unquote(target: string): string {
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target;
  const end = target.indexOf(quote, 1);
  return target.slice(1, end < 0 ? undefined : end);
}
