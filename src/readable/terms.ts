/**
 * Definition lists, which CommonMark has not: a list of terms in bold, each with its meaning.
 *
 *   - **term**: one line of meaning          - `signature(of, a, function)`
 *
 *                                              Paragraphs, code, lists …
 */
import { writeBlocks } from './blocks.ts';
import { InlineRun } from './inline.ts';
import { type Item, putTerms } from './lists.ts';
import { writeSpans } from './spans.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';
import { type Block, isElement, NEST_MAX, textIn, type Writing } from './writing.ts';

interface Entry {
  readonly terms: HtmlElement[];
  readonly meanings: HtmlNode[];
}

const SIGNATURE = /(?:^|\s)(?:sig|sig-object|descclassname|method|function|signature)(?:\s|$)/;

export function writeTerms(element: HtmlElement, writing: Writing, out: Block[]): void {
  const isDeep = writing.nest >= NEST_MAX;
  const below = { ...writing, nest: writing.nest + 1 };
  const items: Item[] = [];
  for (const { terms, meanings } of entriesOf(element, writing.doubt)) {
    const blocks: Block[] = [];
    for (const meaning of meanings) writeMeaning(meaning, below, blocks);
    const [note] = blocks;
    if (blocks.length === 1 && note?.kind === 'note') {
      out.push(note);
      continue;
    }
    const isContents = terms.every(isLink) && blocks.every(({ kind }) => kind === 'list');
    const whole = together(termText(terms, below, !isContents), blocks);
    if (isDeep) out.push(...whole);
    else if (whole.length > 0) items.push({ number: undefined, blocks: whole });
  }
  putTerms(items, out);
}

function writeMeaning(meaning: HtmlNode, writing: Writing, blocks: Block[]): void {
  const isNote = isElement(meaning) && writing.notes.labelOfNote(meaning) !== undefined;
  writeBlocks(isNote || !isElement(meaning) ? [meaning] : meaning.children, writing, blocks);
}

/** A term from anywhere, with what is said about it. */
export function termWith(term: HtmlElement, blocks: readonly Block[], writing: Writing): Block[] {
  return together(oneTerm(term, writing), blocks);
}

function together(term: string, blocks: readonly Block[]): Block[] {
  const [first] = blocks;
  if (term === '') return [...blocks];
  const isLine = first?.kind === 'text' && !first.text.includes('\n') && !term.includes('\n');
  if (blocks.length !== 1 || !isLine) return [{ kind: 'text', text: term }, ...blocks];
  const colon = /[:?!](?:\*\*|`)?$/.test(term) ? ' ' : ': ';
  return [{ kind: 'text', text: `${term}${colon}${first.text}` }];
}

/** A table of contents is often written so: terms that are links, with more such lists below. */
function isLink({ chars, linkChars }: HtmlElement): boolean {
  return chars > 0 && linkChars >= chars * 0.8;
}

function termText(terms: readonly HtmlElement[], writing: Writing, isBold: boolean): string {
  return terms
    .map((term) => oneTerm(term, writing, isBold))
    .filter((text) => text !== '')
    .join('\\\n');
}

function oneTerm(term: HtmlElement, writing: Writing, isBold = true): string {
  const run = new InlineRun({ isOneLine: true });
  const isSignature = SIGNATURE.test(term.get('class'));
  if (isSignature) run.code(signatureOf(term, writing));
  else {
    if (isBold) run.open('**');
    writeSpans(term.children, run, writing);
    if (isBold) run.close('**');
  }
  const text = run.paragraphs().join(' ');
  return /^\*+(`[^`]*`)\*+$/.exec(text)?.[1] ?? text;
}

/** Without the sign that leads to itself. */
function signatureOf(term: HtmlElement, { doubt }: Writing): string {
  return textIn(term, doubt).replace(/[¶\s]+$/, '');
}

/** Terms that share meanings; a `div` may stand around each group. */
function entriesOf(element: HtmlElement, doubt: number): Entry[] {
  const entries: Entry[] = [];
  const add = (node: HtmlNode) => {
    if (!isElement(node)) {
      if (node.text.trim() !== '') entries.push({ terms: [], meanings: [node] });
    } else if (node.doubt >= doubt) return;
    else if (node.tag === 'dt') addTerm(node, entries);
    else if (node.tag === 'div') for (const child of node.children) add(child);
    else addMeaning(node, entries);
  };
  for (const child of element.children) add(child);
  return entries;
}

function addTerm(term: HtmlElement, entries: Entry[]): void {
  const last = entries.at(-1);
  if (last?.meanings.length === 0 && !isLink(term)) last.terms.push(term);
  else entries.push({ terms: [term], meanings: [] });
}

function addMeaning(meaning: HtmlElement, entries: Entry[]): void {
  const last = entries.at(-1);
  if (last === undefined) entries.push({ terms: [], meanings: [meaning] });
  else last.meanings.push(meaning);
}
