/**
 * Plugins from files and packages (X2): `./my-plugin.js`, `orbweaver-plugin-epub`, `@me/plugins/odt`.
 *
 * A path is meant from the working directory; a name is looked for in `node_modules` from there
 * upwards, as Node does for a module that stands there, wherever Orbweaver itself is installed.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CrawlError } from '../../base/errors.ts';
import { type DocumentPlugin, pluginProblem } from '../../document/plugin.ts';

/** The module of a plugin, as a URL. */
export function findPlugin(name: string, folder: string): string {
  if (name.startsWith('file:')) return name;
  const isPath = isAbsolute(name) || /^\.{1,2}[\\/]/.test(name) || /\.[cm]?[jt]s$/.test(name);
  const found = isPath ? entryOf(resolve(folder, name), '.') : findPackage(name, folder);
  if (found !== undefined) return pathToFileURL(found).href;
  throw new CrawlError(
    'E_PLUGIN',
    `there is no plugin ${name} in ${folder}`,
    isPath ? 'give the path of its file' : `install it with \`npm install ${name}\``,
  );
}

/** Every plugin of some modules, in order: `default` or `plugin`, one or a list. */
export async function importPlugins(modules: readonly string[]): Promise<DocumentPlugin[]> {
  const plugins: DocumentPlugin[] = [];
  for (const url of modules) plugins.push(...(await importOne(url)));
  return plugins;
}

async function importOne(url: string): Promise<DocumentPlugin[]> {
  const module: Record<string, unknown> = await import(url).catch((cause: Error) => {
    throw new CrawlError('E_PLUGIN', `${url}: ${cause.message}`, 'correct the plugin', cause);
  });
  const given = module.default ?? module.plugin ?? module.plugins;
  const list: unknown[] = Array.isArray(given) ? given : [given];
  const problem = list.map(pluginProblem).find((one) => one !== undefined);
  if (problem === undefined) return list as DocumentPlugin[];
  throw new CrawlError(
    'E_PLUGIN',
    `${url}: ${problem}`,
    'export a plugin as its default: see docs/plugins.md',
  );
}

/** `name`, `@scope/name`, and a path in it. */
function findPackage(name: string, folder: string): string | undefined {
  const parts = name.split('/');
  const own = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/');
  const inside = [
    '.',
    ...name
      .slice(own.length + 1)
      .split('/')
      .filter((part) => part !== ''),
  ].join('/');
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = entryOf(join(at, 'node_modules', own), inside);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** The file that a path, or a part of the package there, stands for. */
function entryOf(path: string, inside: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isFile()) return path;
  const manifest = join(path, 'package.json');
  const { exports, main } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  const exported = exportIn(exports, inside) ?? (inside === '.' ? (main ?? './index.js') : inside);
  const file = join(path, exported);
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/** Of the `exports` of a package.json: what `import` would take. */
function exportIn(exports: unknown, inside: string): string | undefined {
  if (typeof exports === 'string') return inside === '.' ? exports : undefined;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const map = exports as Record<string, unknown>;
  if (inside in map) return exportIn(map[inside], '.');
  if (inside !== '.') return undefined;
  const [found] = ['import', 'node', 'module-sync', 'default'].filter(
    (condition) => condition in map,
  );
  return found === undefined ? undefined : exportIn(map[found], '.');
}
