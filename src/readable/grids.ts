/**
 * Tables that are not made of `table`: by their roles, or by the classes of a known generator.
 *
 *   role=table|grid ─ role=row ─ role=cell|columnheader …
 *   class="summary-table three-column-summary" ─ as many children a row (Javadoc)
 */
import type { HtmlElement } from './tree.ts';
import { isElement } from './writing.ts';

export interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

const COLUMNS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4 };
const BY_CLASS = /(?:^|\s)(two|three|four)-column-(?:summary|release-summary)(?:\s|$)/;

export function isGrid(element: HtmlElement): boolean {
  if (element.attributes === undefined || element.tag === 'table') return false;
  return /^(?:table|grid)$/.test(element.get('role')) || BY_CLASS.test(element.get('class'));
}

export function gridRows(element: HtmlElement, doubt: number): Row[] {
  const columns = COLUMNS[BY_CLASS.exec(element.get('class'))?.[1] ?? ''];
  return columns === undefined ? byRole(element, doubt) : byCount(element, doubt, columns);
}

function byCount(element: HtmlElement, doubt: number, columns: number): Row[] {
  const cells = childrenOf(element, doubt);
  const rows: Row[] = [];
  for (let i = 0; i < cells.length; i += columns) {
    const isHead = /(?:^|\s)table-header(?:\s|$)/.test(cells[i]?.get('class') ?? '');
    rows.push({ cells: cells.slice(i, i + columns), isHead });
  }
  return rows;
}

function byRole(element: HtmlElement, doubt: number): Row[] {
  return childrenOf(element, doubt).flatMap((child) => {
    if (child.get('role') !== 'row') return byRole(child, doubt);
    const cells = childrenOf(child, doubt);
    return [{ cells, isHead: cells.every((cell) => cell.get('role') === 'columnheader') }];
  });
}

function childrenOf({ children }: HtmlElement, doubt: number): HtmlElement[] {
  return children.filter((child): child is HtmlElement => isElement(child) && child.doubt < doubt);
}
