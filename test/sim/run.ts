/**
 * The command: `npm run sim -- NAME [options] [--json]`: a simulation in virtual time, as a table
 * for people or one JSON object a line. The same seed prints the same figures. It fails when
 * something does not hold, after its rows; how far it is goes to stderr.
 */
import { SIMULATIONS } from './index.ts';

/** What a simulation prints: a row of named figures. */
export type SimRow = Readonly<Record<string, string | number>>;
export type RunSim = (args: readonly string[]) => Iterable<SimRow> | AsyncIterable<SimRow>;

async function main(): Promise<number> {
  const [name = '', ...rest] = process.argv.slice(2);
  if (!Object.hasOwn(SIMULATIONS, name)) {
    const rows = Object.entries(SIMULATIONS).map(([sim, what]) => `  ${sim.padEnd(12)}${what}\n`);
    process.stderr.write(`npm run sim -- NAME [options] [--json]\n${rows.join('')}`);
    return name === '' || name === '--help' ? 0 : 2;
  }
  const { run } = (await import(`./${name}.ts`)) as { run: RunSim };
  const isJson = rest.includes('--json');
  let names: string[] | undefined;
  for await (const row of run(rest.filter((arg) => arg !== '--json'))) {
    if (isJson) process.stdout.write(`${JSON.stringify({ sim: name, ...row })}\n`);
    else names = printRow(row, names);
  }
  return 0;
}

/** The first row's names are the head of the table; a row with others begins a new one. */
function printRow(row: SimRow, before: string[] | undefined): string[] {
  const names = Object.keys(row);
  const widths = names.map((name, i) => Math.max(name.length, i === 0 ? 28 : 8) + 2);
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, i) => padded(figure(cell), widths[i] as number, i === 0)).join('');
  if (before?.join() !== names.join()) process.stdout.write(`${line(names)}\n`);
  process.stdout.write(`${line(Object.values(row))}\n`);
  return names;
}

function padded(text: string, width: number, isFirst: boolean): string {
  return isFirst ? text.padEnd(width) : text.padStart(width);
}

function figure(value: string | number): string {
  if (typeof value === 'string') return value;
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 4 : 1 });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`sim: ${error.message}\n`);
  return 1;
});
