/**
 * Which browser there is: the one that is named, one that is installed, or the one that npm's
 * `@sparticuz/chromium` carries. Driver and packed browser are optional packages, looked for
 * beside this one and in the folder that the crawl was started in.
 */
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserType } from 'playwright-core';
import type { FoundBrowser } from '../../ports/renderer.ts';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const DRIVER = 'playwright-core';
const PACKED = '@sparticuz/chromium';
/** It carries a browser for this system alone. */
const PACKED_FOR = 'linux';
const NAME_IT = 'name it with --chromium PATH or ORB_CHROMIUM if it is not found';
const OR_NEVER = `'--render never' leaves such pages as they are.`;

/** Why there is no browser, and exactly what is to be installed for one. */
class NoBrowser extends Error {
  readonly fix: string;

  constructor(problem: string, fix: string) {
    super(problem);
    this.fix = fix;
  }
}

export interface Places {
  /** As the settings name it. */
  readonly executable: string | undefined;
  /** Where commands are looked for, as in PATH. */
  readonly folders: string;
  /** Where the user's own packages are looked for. */
  readonly cwd: string;
}

export interface Driven {
  readonly driver: BrowserType;
  readonly executablePath: string;
  readonly what: string;
}

export async function findBrowser(places: Places): Promise<FoundBrowser> {
  try {
    const { what } = await findDriven(places);
    return { kind: 'found', what };
  } catch (error) {
    const { message } = error as Error;
    const fix = error instanceof NoBrowser ? error.fix : `Repair or replace it. ${OR_NEVER}`;
    return { kind: 'missing', problem: message, fix };
  }
}

export async function findDriven({ executable, folders, cwd }: Places): Promise<Driven> {
  const driver = await optional<{ chromium: BrowserType }>(DRIVER, cwd);
  const installed = executable ?? (await firstThere(folders));
  if (driver === undefined) throw noDriver(installed, await optional<object>(PACKED, cwd));
  const { chromium } = driver;
  if (installed !== undefined) {
    if (!(await isThere(installed))) throw cannotRun(installed);
    const how = installed === executable ? 'as named' : 'installed';
    return { driver: chromium, executablePath: installed, what: `${installed} (${how})` };
  }
  const packed = await optional<{ executablePath(): Promise<string> }>(PACKED, cwd);
  if (packed === undefined || !isPackedHere()) throw noChromium();
  const executablePath = await packed.executablePath();
  return { driver: chromium, executablePath, what: `${executablePath} (of ${PACKED})` };
}

function noDriver(installed: string | undefined, packed: object | undefined): NoBrowser {
  const isEnough = installed !== undefined || packed !== undefined || !isPackedHere();
  const names = isEnough ? DRIVER : `${DRIVER} ${PACKED}`;
  const browser = installed === undefined && !isPackedHere() ? ', and Chrome or Chromium' : '';
  const fix = `Install it: 'npm install ${names}'${browser}. ${OR_NEVER}`;
  const beside = installed === undefined ? '' : `, to drive ${installed} with`;
  return new NoBrowser(`the package ${DRIVER} is not installed${beside}`, fix);
}

function cannotRun(executable: string): NoBrowser {
  const fix = `Name another with --chromium PATH or ORB_CHROMIUM, or none: then one in the PATH or the one of ${PACKED} is used. ${OR_NEVER}`;
  return new NoBrowser(`${executable} cannot be run`, fix);
}

function noChromium(): NoBrowser {
  const system = `Chromium or Chrome on your system (${NAME_IT})`;
  if (!isPackedHere())
    return new NoBrowser('there is no Chromium', `Install ${system}. ${OR_NEVER}`);
  const problem = `there is no Chromium in the PATH, and the package ${PACKED} is not installed`;
  return new NoBrowser(problem, `Install one: 'npm install ${PACKED}', or ${system}. ${OR_NEVER}`);
}

function isPackedHere(): boolean {
  return process.platform === PACKED_FOR;
}

async function firstThere(path: string): Promise<string | undefined> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const paths = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const path of [...paths, ...MAC]) if (await isThere(path)) return path;
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** A package of this name, or undefined: what a user did not install is no error. */
async function optional<T>(name: string, cwd: string): Promise<T | undefined> {
  const there = createRequire(pathToFileURL(join(cwd, 'package.json')).href);
  const ways = [() => name, () => pathToFileURL(there.resolve(name)).href];
  for (const way of ways) {
    try {
      const found = await import(way());
      return (found.default ?? found) as T;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
}
