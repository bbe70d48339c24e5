/**
 * Code blocks: the text of a `pre` as it stands, in fences, with its language where a class
 * names it the way highlighters do.
 */
import { BLOCK } from './elements.ts';
import { fenceOf, withoutUnseen } from './escape.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';
import { type Block, isElement } from './writing.ts';

export function codeBlock(element: HtmlElement, doubt: number): Block | undefined {
  const parts: string[] = [];
  gather(element.children, doubt, parts);
  const code = parts
    .join('')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (code === '') return undefined;
  const fence = fenceOf(code);
  return { kind: 'code', text: `${fence}${languageOf(element)}\n${code}\n${fence}` };
}

/** A block inside, such as one line of a highlighter, ends its line. */
function gather(nodes: readonly HtmlNode[], doubt: number, parts: string[]): void {
  for (const node of nodes) {
    if (!isElement(node)) parts.push(withoutUnseen(node.text));
    else if (node.doubt >= doubt) continue;
    else if (node.tag === 'br') parts.push('\n');
    else {
      const before = parts.length;
      const isNext = node.tag === 'code' && before > 0 && node.parent?.tag === 'pre';
      if (isNext && !parts.at(-1)?.endsWith('\n')) parts.push('\n');
      gather(node.children, doubt, parts);
      const isLine = (node.bits & BLOCK) !== 0 && node.tag !== 'td';
      if (isLine && parts.length > before && !parts.at(-1)?.endsWith('\n')) parts.push('\n');
    }
  }
}

const NAMED =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|brush:\s*)([\w+#.-]{1,30})/i;
const SPHINX = /(?:^|\s)highlight-([\w+#.-]{1,30})(?:\s|$)/;
const BARE = /(?:^|\s)(?:sourceCode|highlight|prettyprint|rust|src|code)(?:\s|$)/;
const LEVELS_UP = 3;
const NO_LANGUAGE = new Set([
  ...['none', 'text', 'plain', 'plaintext', 'default', 'nohighlight', 'notranslate', 'highlight'],
  ...['output', 'code', 'sourcecode', 'prettyprint', 'linenums', 'src', 'txt', 'hljs', 'undefined'],
]);
const KNOWN = new Set(
  (
    'bash c clojure cpp csharp css dart diff dockerfile elixir erlang go graphql haskell html ini ' +
    'java javascript js json jsx julia kotlin latex lisp lua makefile markdown matlab nginx ' +
    'objectivec ocaml perl php powershell protobuf python r ruby rust scala scheme sh shell sql ' +
    'swift toml ts tsx typescript vim xml yaml'
  ).split(' '),
);

function languageOf(element: HtmlElement): string {
  const first = element.children.find(({ tag }) => tag === 'code') as HtmlElement | undefined;
  const inner = first === undefined ? '' : namedBy(first);
  if (inner !== '') return inner;
  let at: HtmlElement | undefined = element;
  for (let level = 0; level < LEVELS_UP && at !== undefined; level++, at = at.parent) {
    const name = namedBy(at);
    if (name !== '') return name;
  }
  return '';
}

function namedBy(element: HtmlElement): string {
  const classes = element.get('class');
  const named = NAMED.exec(classes)?.[1] ?? SPHINX.exec(classes)?.[1];
  const given =
    named ?? (element.get('data-lang') || element.get('data-language') || bare(classes));
  const name = given.toLowerCase();
  if (name === 'python3' || name === 'pycon3') return 'python';
  return NO_LANGUAGE.has(name) || !/^[\w+#.-]+$/.test(name) ? '' : name;
}

/** `class="rust"`, `class="sourceCode python"`: only names that are nothing else. */
function bare(classes: string): string {
  if (!BARE.test(classes)) return '';
  return classes.split(/\s+/).find((name) => KNOWN.has(name)) ?? '';
}
