/**
 * The command: `npm run bench -- NAME [options] [--json]`.
 *
 * Figures come as they are measured: a table for people, one JSON object a line with --json.
 */

import { childrenPeakBytes } from './in-child.ts';
import { BENCHES } from './index.ts';
import {
  childrenCpuSec,
  type Emit,
  type Line,
  type Run,
  sayFor,
  sayUsage,
  usageSoFar,
} from './measure.ts';

const METRIC_WIDTH = 34;
const VALUE_WIDTH = 14;

async function main(): Promise<number> {
  const [name = '', ...rest] = process.argv.slice(2);
  if (!Object.hasOwn(BENCHES, name)) {
    process.stderr.write(`${name === '' ? 'which one?' : `no benchmark '${name}'.`}\n${list()}`);
    return name === '' || name === '--help' ? 0 : 2;
  }
  const args = rest.filter((arg) => arg !== '--json');
  const emit: Emit = args.length < rest.length ? asJson : asRow;
  const { run } = (await import(`./${name}.ts`)) as { run: Run };
  await run(args, emit);
  const say = sayFor(name, emit);
  const usage = usageSoFar();
  const cpuSec = usage.cpuSec + childrenCpuSec();
  const peakRssBytes = Math.max(usage.peakRssBytes, childrenPeakBytes());
  sayUsage(say, 'bench_', { ...usage, cpuSec, peakRssBytes });
  say('node', Number(process.versions.node.split('.')[0]), `v${process.versions.node}`);
  return 0;
}

function list(): string {
  const rows = Object.entries(BENCHES).map(([name, what]) => `  ${name.padEnd(10)}${what}\n`);
  return `npm run bench -- NAME [options] [--json]\n${rows.join('')}`;
}

function asJson(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function asRow({ metric, value, unit }: Line): void {
  const row = `${metric.padEnd(METRIC_WIDTH)}${figure(value).padStart(VALUE_WIDTH)}  ${unit}`;
  process.stdout.write(`${row}\n`);
}

function figure(value: number): string {
  const digits = Math.abs(value) >= 10_000 || Number.isInteger(value) ? 0 : 2;
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(3);
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`bench: ${error.message}\n`);
  return 1;
});
