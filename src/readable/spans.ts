/**
 * Elements inside a line become words, code, links and marks of an InlineRun (inline.ts).
 *
 * Code with links in it is cut at them, so that both are kept: [`Map`](…)`<K, V>`.
 * A block in here (a list in a table cell) is read through, with a space around it.
 */
import { BLOCK } from './elements.ts';
import { withoutUnseen } from './escape.ts';
import { writeImage } from './images.ts';
import type { InlineRun, Mark } from './inline.ts';
import { isPermalink } from './links.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';
import { isElement, textIn, type Writing } from './writing.ts';

type Spanner = (element: HtmlElement, run: InlineRun, writing: Writing) => void;

export function writeSpans(nodes: readonly HtmlNode[], run: InlineRun, writing: Writing): void {
  for (const node of nodes) {
    if (!isElement(node)) run.text(withoutUnseen(node.text));
    else if (node.doubt < writing.doubt) writeSpan(node, run, writing);
  }
}

function writeSpan(element: HtmlElement, run: InlineRun, writing: Writing): void {
  const spanner = SPANNERS[element.tag];
  if (spanner !== undefined) {
    spanner(element, run, writing);
    return;
  }
  if ((element.bits & BLOCK) === 0) {
    writeSpans(element.children, run, writing);
    return;
  }
  const isNext = element.tag === 'li' && !run.isEmpty && element.parent?.children[0] !== element;
  if (isNext && isLaterItem(element)) run.semicolon();
  else run.gap();
  writeSpans(element.children, run, writing);
  run.gap();
}

function isLaterItem({ parent }: HtmlElement): boolean {
  return parent?.tag === 'ul' || parent?.tag === 'ol';
}

function marked(mark: Mark): Spanner {
  return (element, run, writing) => {
    const isOpen = run.open(mark);
    writeSpans(element.children, run, writing);
    if (isOpen) run.close(mark);
  };
}

const strong = marked('**');
const emphasis = marked('*');
const struck = marked('~~');

const SPANNERS: Readonly<Record<string, Spanner>> = {
  b: strong,
  strong,
  em: emphasis,
  i: emphasis,
  cite: emphasis,
  dfn: emphasis,
  var: emphasis,
  del: struck,
  s: struck,
  strike: struck,
  code: writeCode,
  kbd: writeCode,
  samp: writeCode,
  tt: writeCode,
  pre: writeCode,
  a: writeLink,
  img: writeImage,
  br: (_, run) => run.lineBreak(),
  hr: (_, run) => run.gap(),
  q: writeQuoted,
  sup: writeRaised,
  rt: (element, run, writing) => {
    run.text('(');
    writeSpans(element.children, run, writing);
    run.text(')');
  },
  math: writeMath,
};

function writeQuoted(element: HtmlElement, run: InlineRun, writing: Writing): void {
  run.text('“');
  writeSpans(element.children, run, writing);
  run.text('”');
}

/** `10<sup>6</sup>` must not become 106; `1<sup>st</sup>` may become 1st. */
function writeRaised(element: HtmlElement, run: InlineRun, writing: Writing): void {
  const text = textIn(element, writing.doubt).trim();
  const isPower = /^[-+−]?(?:\d+|[a-z])$/i.test(text) && !hasLink(element);
  const isSum = !isPower && text.length <= 20 && /^[-+−*/\w\s.()]+$/.test(text) && SUM.test(text);
  if (isPower || isSum) run.text(isSum ? '^(' : '^');
  writeSpans(element.children, run, writing);
  if (isSum) run.text(')');
}

const SUM = /[\w)]\s*[-+−*/]\s*[\w(]/;

/** Formulas stay text: their TeX where the page has it. */
function writeMath(element: HtmlElement, run: InlineRun, writing: Writing): void {
  const tex = findTex(element);
  run.text(textIn(tex ?? element, writing.doubt).replace(/\s+/g, ' '));
}

function findTex(element: HtmlElement): HtmlElement | undefined {
  if (element.tag === 'annotation' && /tex/i.test(element.get('encoding'))) return element;
  for (const child of element.children) {
    const found = isElement(child) ? findTex(child) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function writeLink(element: HtmlElement, run: InlineRun, writing: Writing): void {
  if (isPermalink(element, writing.doubt) || writing.notes.isBacklink(element)) return;
  const label = writing.notes.labelOfReference(element);
  if (label !== undefined) {
    run.footnote(label);
    return;
  }
  const target = targetIn(element, run, writing);
  if (target === undefined) {
    writeSpans(element.children, run, writing);
    return;
  }
  run.openLink(target);
  writeSpans(element.children, run, writing);
  run.closeLink();
}

function targetIn(element: HtmlElement, run: InlineRun, writing: Writing): string | undefined {
  const href = element.get('href');
  const isOwn = writing.inHeading && href.startsWith('#');
  return run.inLink || isOwn ? undefined : writing.targetOf(href);
}

function writeCode(element: HtmlElement, run: InlineRun, writing: Writing): void {
  if (!hasLink(element)) {
    run.code(textIn(element, writing.doubt));
    return;
  }
  for (const child of element.children) {
    if (!isElement(child)) run.code(withoutUnseen(child.text));
    else if (child.doubt >= writing.doubt) continue;
    else if (child.tag === 'a') writeLinkedCode(child, run, writing);
    else writeCode(child, run, writing);
  }
}

function writeLinkedCode(element: HtmlElement, run: InlineRun, writing: Writing): void {
  if (isPermalink(element, writing.doubt)) return;
  const target = targetIn(element, run, writing);
  if (target !== undefined) run.openLink(target);
  run.code(textIn(element, writing.doubt));
  if (target !== undefined) run.closeLink();
}

function hasLink(element: HtmlElement): boolean {
  return element.children.some(
    (child) => isElement(child) && ((child.tag === 'a' && child.has('href')) || hasLink(child)),
  );
}
