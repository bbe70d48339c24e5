/**
 * The Prometheus text format, version 0.0.4.
 *
 *   # HELP orb_fetches_total Requests made, by class of the answer.
 *   # TYPE orb_fetches_total counter
 *   orb_fetches_total{class="2xx"} 1027
 *
 * Names are ours and are asserted. Label values and help may hold anything: the three characters
 * that mean something are escaped, so that no value can end its line and begin one of its own.
 */
import { assert } from '../base/assert.ts';
import type { Family, Labels, Sample } from './family.ts';

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

export function expose(families: readonly Family[]): string {
  const names = new Set(families.map(({ name }) => name));
  assert(names.size === families.length, 'every family has a name of its own');
  return families.map(familyText).join('');
}

/** A family that has no sample yet is left out: nothing is known is not 0. */
function familyText({ name, help, type, samples }: Family): string {
  assert(NAME.test(name), `${name} is a name`);
  assert(help !== '', `${name} says what it is`);
  if (samples.length === 0) return '';
  const head = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
  return head + samples.map((sample) => sampleLine(name, sample)).join('');
}

function sampleLine(name: string, { suffix = '', labels, value }: Sample): string {
  return `${name}${suffix}${labels === undefined ? '' : labelsText(labels)} ${numberText(value)}\n`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    assert(NAME.test(name), `${name} is a label`);
    return `${name}="${escaped(value).replaceAll('"', '\\"')}"`;
  });
  return `{${pairs.join(',')}}`;
}

/** A carriage return alone ends no line of the format, but it does on a terminal. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', ' ');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
