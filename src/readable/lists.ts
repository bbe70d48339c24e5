/**
 * Lists: `-` or `1.`, each item indented by the width of its own mark.
 *
 * A list is tight when all its items are a line with at most lists below. Two lists in a row
 * would become one, so the second takes the other mark (`*`, `1)`).
 */
import { writeBlocks, writeNote } from './blocks.ts';
import { type HtmlElement, type HtmlNode, NO_HEADING } from './tree.ts';
import { type Block, indented, isElement, NEST_MAX, type Writing } from './writing.ts';

const NUMBER_MAX = 999_999_999;

export function writeList(element: HtmlElement, writing: Writing, out: Block[]): void {
  if (writing.nest >= NEST_MAX || isLayout(element)) {
    writeBlocks(element.children, writing, out);
    return;
  }
  const below = { ...writing, nest: writing.nest + 1 };
  const items: Item[] = [];
  let number = element.tag === 'ol' ? startOf(element) : undefined;
  for (const nodes of itemsOf(element)) {
    const [item] = nodes;
    if (item === undefined) continue;
    const own = isItem(item) ? item : undefined;
    if (own !== undefined && own.doubt >= writing.doubt) continue;
    const label = own && writing.notes.labelOfNote(own);
    if (own !== undefined && label !== undefined) {
      writeNote(label, own, writing, out);
      continue;
    }
    if (number !== undefined && own?.has('value')) number = numberOf(own.get('value')) ?? number;
    const last = items.at(-1);
    if (own === undefined && last !== undefined) {
      writeBlocks(nodes, below, last.blocks);
      continue;
    }
    const blocks: Block[] = [];
    writeBlocks(own?.children ?? nodes, below, blocks);
    if (blocks.length > 0) items.push({ number, blocks });
    if (number !== undefined) number = Math.min(number + 1, NUMBER_MAX);
  }
  putList(items, out);
}

/** Bullets with headings behind them only place sections on a page. */
function isLayout({ tag, heading }: HtmlElement): boolean {
  return tag !== 'ol' && heading < NO_HEADING;
}

export interface Item {
  /** Undefined for a bullet. */
  readonly number: number | undefined;
  readonly blocks: Block[];
}

/** Terms of one list after another are one list: that is how many sites write functions. */
export function putTerms(items: readonly Item[], out: Block[]): void {
  const last = out.at(-1);
  if (last?.isTerms) out.pop();
  const before = out.length;
  putList(items, out);
  const made = out.length > before ? out.pop() : undefined;
  const text = [last?.isTerms ? last.text : '', made?.text ?? ''].filter((one) => one !== '');
  if (text.length > 0)
    out.push({ kind: 'list', text: text.join('\n\n'), marker: '-', isTerms: true });
}

export function putList(items: readonly Item[], out: Block[]): void {
  const [first] = items;
  if (first === undefined) return;
  const isOrdered = first.number !== undefined;
  const last = out.at(-1);
  const usual = isOrdered ? '.' : '-';
  const marker = last?.kind === 'list' && last.marker === usual ? (isOrdered ? ')' : '*') : usual;
  const isTight = items.every(({ blocks }) => blocks.every(isTightBlock));
  const gap = isTight ? '\n' : '\n\n';
  const text = items
    .map(({ number, blocks }) => {
      const mark = number === undefined ? `${isOrdered ? '-' : marker} ` : `${number}${marker} `;
      const body = trimRules(blocks)
        .map((block) => block.text)
        .join(gap);
      return mark + indented(body, ' '.repeat(mark.length));
    })
    .join(gap);
  out.push({ kind: 'list', text, marker });
}

/** Only a list from 1 on may follow a line of text without an empty line. */
function isTightBlock({ kind, text }: Block, nth: number): boolean {
  if (nth === 0) return kind === 'text' || kind === 'list';
  return kind === 'list' && /^(?:[-*]|1[.)]) /.test(text);
}

function trimRules(blocks: readonly Block[]): readonly Block[] {
  return blocks[0]?.kind === 'rule' ? blocks.slice(1) : blocks;
}

/** Each `li`; what stands between them belongs to the item before. */
function itemsOf({ children }: HtmlElement): HtmlNode[][] {
  const items: HtmlNode[][] = [];
  for (const child of children) {
    if (isItem(child)) items.push([child]);
    else if (isElement(child) || child.text.trim() !== '') items.push([child]);
  }
  return items;
}

function isItem(node: HtmlNode | undefined): node is HtmlElement {
  return node !== undefined && isElement(node) && node.tag === 'li';
}

function startOf(element: HtmlElement): number {
  return numberOf(element.get('start')) ?? 1;
}

function numberOf(text: string): number | undefined {
  const number = Number.parseInt(text, 10);
  return number >= 0 && number <= NUMBER_MAX ? number : undefined;
}
