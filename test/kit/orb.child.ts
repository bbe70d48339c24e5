/** Starts a service as tests do, says where it answers, and waits to be killed: orb.test.ts. */
import { startOrb } from './orb.ts';

const [dir = ''] = process.argv.slice(2);
const run = startOrb({ after: () => undefined }, ['serve', '--dir', dir, '--port', '0']);
await run.said(/http:\/\/127\.0\.0\.1:\d+\//);
process.stdout.write(`${/http:\/\/127\.0\.0\.1:\d+\//.exec(run.stderr)?.[0]}\n`);
await run.ended;
