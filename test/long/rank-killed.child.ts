/**
 * The child of rank-killed.test.ts: rates the hosts of a folder, and says a line after each
 * write, so that its parent can kill it in between.
 */
import { FolderRunFiles } from '../../src/adapters/folder/run-files.ts';
import { openEngines } from '../../src/compose.ts';
import { portsFor, RULES } from '../../src/crawl/rank.testkit.ts';
import { runRank } from '../../src/crawl/rank.ts';
import { type RankDesk, restingDesk } from '../../src/crawl/rank-desk.ts';

const [dir = ''] = process.argv.slice(2);
const { store } = await openEngines(dir, { syncAlways: false, codec: 'gzip' });
const desk = restingDesk(store);
const told = <T extends unknown[]>(write: (...given: T) => Promise<void>) => {
  return async (...given: T) => {
    await write(...given);
    process.stdout.write('written\n');
  };
};
const telling: RankDesk = { ...desk, move: told(desk.move), rate: told(desk.rate) };
const ports = { ...portsFor(store), files: new FolderRunFiles(`${dir}/rank`) };
await runRank(ports, telling, { rules: RULES });
