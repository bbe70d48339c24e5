/**
 * Looking at pages of the dashboard: pictures in light, dark and phone width, what axe says of
 * them, and what went wrong unseen.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const screens = join(root, '.cache', 'screens');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 760 };

/** What must not happen while pages are looked at: errors, and requests to anybody else. */
export function watch(page: Page, at: string, wrong: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${at}/`)) wrong.push(`request to ${request.url()}`);
  });
}

/** Looks again and again; the runner's own limit ends a wait in vain. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}

export async function numberOf(page: Page, name: string): Promise<number> {
  const group = page.locator('.numbers > div', { hasText: name }).first();
  return Number((await group.locator('.big').innerText()).replaceAll(',', ''));
}

/** No serious complaint of axe, in light and in dark; three pictures. */
export async function looked(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  await sound(page, `${name}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, `${name}-dark`);
  await sound(page, `${name}, dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await shoot(page, `${name}-phone`);
  const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
  assert.ok(wide <= PHONE.width, `${name} is ${wide} px wide on a phone`);
  await page.setViewportSize(WIDE);
}

export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`), fullPage: true });
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Of the rules that are named, or of all. */
async function sound(page: Page, where: string, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = JSON.stringify(rules === undefined ? {} : { runOnly: rules });
  const found = (await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )) as Violation[];
  const bad = found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  assert.deepEqual(bad, [], where);
}
