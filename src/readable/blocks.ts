/**
 * Blocks, one after the other: what stands between them becomes paragraphs.
 *
 *   inline nodes ─▶ spans.ts ─▶ a paragraph          ul, ol ─▶ lists.ts     dl ─▶ terms.ts
 *   h1 … h6      ─▶ a heading                        table  ─▶ tables.ts    pre ─▶ code.ts
 *   anything else with blocks in it is looked through
 *
 * Recursion is as deep as the tree, which is bounded (tree.ts).
 */
import { codeBlock } from './code.ts';
import { headingLevel } from './elements.ts';
import { isGrid } from './grids.ts';
import { InlineRun } from './inline.ts';
import { writeList } from './lists.ts';
import { writeSpans } from './spans.ts';
import { writeTable } from './tables.ts';
import { writeTerms } from './terms.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';
import { type Block, indented, isElement, NEST_MAX, type Writing } from './writing.ts';

export function writeBlocks(nodes: readonly HtmlNode[], writing: Writing, out: Block[]): void {
  let line: HtmlNode[] = [];
  for (const node of nodes) {
    if (!isElement(node) || !node.holdsBlock) {
      line.push(node);
      continue;
    }
    if (node.doubt >= writing.doubt) continue;
    writeParagraph(line, writing, out);
    line = [];
    writeBlock(node, writing, out);
  }
  writeParagraph(line, writing, out);
}

export function joined(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('\n\n');
}

function writeParagraph(nodes: readonly HtmlNode[], writing: Writing, out: Block[]): void {
  if (nodes.length === 0) return;
  const run = new InlineRun();
  writeLinked(nodes, run, writing);
  for (const text of run.paragraphs()) out.push({ kind: 'text', text });
}

/** The first words inside a link that goes around blocks are the link. */
function writeLinked(nodes: readonly HtmlNode[], run: InlineRun, writing: Writing): void {
  const target = writing.around?.target;
  if (target !== undefined) run.openLink(target);
  writeSpans(nodes, run, writing);
  if (target === undefined) return;
  run.closeLink();
  if (!run.isEmpty && writing.around !== undefined) writing.around.target = undefined;
}

function writeBlock(element: HtmlElement, writing: Writing, out: Block[]): void {
  const label = writing.notes.labelOfNote(element);
  if (label !== undefined) {
    writeNote(label, element, writing, out);
    return;
  }
  if (isSignature(element)) {
    writePre(element, writing, out);
    return;
  }
  if (isGrid(element)) {
    writeTable(element, writing, out);
    return;
  }
  if (headingLevel(element.tag) > 0) {
    writeHeading(element, writing, out);
    return;
  }
  const write = isTitle(element) ? writeBold : WRITERS[element.tag];
  if (write !== undefined) {
    write(element, writing, out);
    return;
  }
  writeBlocks(element.children, writing, out);
}

const SIGNATURE = /(?:^|\s)(?:member|type|method)-signature(?:\s|$)/;

/** A declaration, laid out by style sheets: code in all but its tag. */
function isSignature(element: HtmlElement): boolean {
  return element.tag === 'div' && SIGNATURE.test(element.get('class'));
}

const TITLE = /(?:^|\s)(?:admonition-title|callout-title|alert-title|markdown-alert-title)(?:\s|$)/;

/** The line above a note: what it is, not a heading of the page. */
function isTitle(element: HtmlElement): boolean {
  return element.has('class') && TITLE.test(element.get('class'));
}

type BlockWriter = (element: HtmlElement, writing: Writing, out: Block[]) => void;

const WRITERS: Readonly<Record<string, BlockWriter>> = {
  ul: writeList,
  ol: writeList,
  menu: writeList,
  dir: writeList,
  dl: writeTerms,
  table: writeTable,
  pre: writePre,
  listing: writePre,
  xmp: writePre,
  plaintext: writePre,
  blockquote: writeQuote,
  hr: writeRule,
  a: writeAround,
  summary: writeBold,
  caption: writeBold,
  legend: writeBold,
};

function writePre(element: HtmlElement, writing: Writing, out: Block[]): void {
  const block = codeBlock(element, writing.doubt);
  if (block !== undefined) out.push(block);
}

function writeHeading(element: HtmlElement, writing: Writing, out: Block[]): void {
  const run = new InlineRun({ inHeading: true });
  writeLinked(element.children, run, { ...writing, inHeading: true });
  const [text] = run.paragraphs();
  if (text === undefined) return;
  const closed = text.replace(/(^| )(#+)$/, '$1\\$2');
  out.push({ kind: 'heading', text: `${'#'.repeat(headingLevel(element.tag))} ${closed}` });
}

function writeBold(element: HtmlElement, writing: Writing, out: Block[]): void {
  if (element.children.some((child) => isElement(child) && child.holdsBlock)) {
    writeBlocks(element.children, writing, out);
    return;
  }
  const run = new InlineRun({ isOneLine: true });
  run.open('**');
  writeSpans(element.children, run, writing);
  run.close('**');
  for (const text of run.paragraphs()) out.push({ kind: 'text', text });
}

function writeQuote(element: HtmlElement, writing: Writing, out: Block[]): void {
  if (writing.nest >= NEST_MAX) {
    writeBlocks(element.children, writing, out);
    return;
  }
  const inner: Block[] = [];
  writeBlocks(element.children, { ...writing, nest: writing.nest + 1 }, inner);
  if (inner.length === 0) return;
  const text = joined(inner)
    .replace(/^(?=.)/gm, '> ')
    .replace(/^$/gm, '>');
  out.push({ kind: 'quote', text });
}

function writeRule(_: HtmlElement, __: Writing, out: Block[]): void {
  if (out.length > 0 && out.at(-1)?.kind !== 'rule') out.push({ kind: 'rule', text: '---' });
}

function writeAround(element: HtmlElement, writing: Writing, out: Block[]): void {
  const target = element.has('href') ? writing.targetOf(element.get('href')) : undefined;
  const around = target === undefined ? writing.around : { target };
  writeBlocks(element.children, { ...writing, around }, out);
}

/** Its label stands in front of it, so what the page shows as such is not repeated. */
export function writeNote(
  label: string,
  element: HtmlElement,
  writing: Writing,
  out: Block[],
): void {
  const inner: Block[] = [];
  const isLabel = (node: HtmlNode) =>
    isElement(node) && /(?:^|\s)label(?:\s|$)/.test(node.get('class'));
  const nodes = element.children.filter((node) => !isLabel(node));
  writeBlocks(nodes, { ...writing, nest: writing.nest + 1 }, inner);
  if (inner.length === 0) return;
  if (out.at(-1)?.kind === 'rule') out.pop();
  out.push({ kind: 'note', text: `[^${label}]: ${indented(joined(inner), '    ')}` });
}
