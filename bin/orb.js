#!/usr/bin/env node
/**
 * Starts the command line with a Node that can run it.
 *
 *   source    ../src/main.ts is there: this Node if it strips types by itself, else the one from
 *             npm in node_modules/node, as a child with our streams, signals and exit code,
 *             which then begins here as well, and ends with us however we end
 *   packed    ../dist/src/main.js alone, in a package: this Node runs it, from 20.19 on
 *
 * Sources come first, because `npm pack` leaves a build beside them that grows old.
 * Plain JavaScript that Node 20 understands.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PACKED = at('../dist/src/main.js');
const SOURCE = at('../src/main.ts');
const OTHER_NODE = at(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function isAtLeast(major, minor) {
  const [ours = 0, oursMinor = 0] = process.versions.node.split('.').map(Number);
  return ours > major || (ours === major && oursMinor >= minor);
}

/** Types are stripped without a flag from 22.18 and 23.6 on. */
function stripsTypes() {
  return process.versions.node.startsWith('22.') ? isAtLeast(22, 18) : isAtLeast(23, 6);
}

function say(message, hint) {
  process.stderr.write(`orb: ${message}\n     ${hint}\n`);
  process.exitCode = 1;
}

/** The child's end of a pipe that nobody writes to: it closes when we are gone, killed or not. */
const LEASH_FD = 3;
const LEASH = 'ORB_LEASH';

/** A terminal sends Ctrl-C to both of us, so the child hears it twice at once and counts one. */
function runChild(node) {
  const child = spawn(node, [at('./orb.js'), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [LEASH]: 'held' },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => say(`${node} could not be started: ${error.message}`, HINT));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

/** Whoever kills a crawl has killed it: it must not go on asking, nor hold its folder. */
function endWithParent() {
  if (process.env[LEASH] === undefined) return;
  delete process.env[LEASH];
  try {
    const leash = new Socket({ fd: LEASH_FD, readable: true, writable: false });
    leash.on('end', () => process.kill(process.pid, 'SIGKILL')).on('error', () => {});
    leash.resume().unref();
  } catch {
    // Somebody else set the variable: there is no such pipe.
  }
}

const HINT = "Run 'npm ci' in the project's folder, or use Node 24.";

/** A connection that will not close must not keep the process; what was written is out by then. */
const FAREWELL_MS = 2_000;

/** Where this Node can keep compiled code, the next start takes half of the time. */
async function run(path) {
  nodeModule.enableCompileCache?.();
  const { main } = await import(path);
  await main();
  setTimeout(() => process.exit(), FAREWELL_MS).unref();
}

if (existsSync(SOURCE)) {
  if (stripsTypes()) {
    endWithParent();
    await run('../src/main.ts');
  } else if (existsSync(OTHER_NODE)) runChild(OTHER_NODE);
  else say(`Node ${process.versions.node} cannot run TypeScript.`, HINT);
} else if (!existsSync(PACKED)) {
  say('this installation is incomplete: neither dist/ nor src/ is there.', 'Install it again.');
} else if (isAtLeast(20, 19)) await run('../dist/src/main.js');
else say(`Node ${process.versions.node} is too old.`, 'Use Node 20.19 or later; 24 is best.');
