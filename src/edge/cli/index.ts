/**
 * The command line.
 *
 *   run.ts ── which command ──┬─ crawl.ts (plan, crawl-*, resume, dry-run)
 *     │ gather.ts  settings   ├─ read.ts  (folder, *-row, *-text, rows)
 *     │ failure.ts errors     ├─ doctor.ts
 *     │ help.ts    help       ├─ demo.ts
 *     │                       ├─ capacity.ts (capacity-inputs, -row, -text): orb plan
 *     │                       └─ key.ts
 *     └ world.ts   everything outside
 *
 *   progress.ts, pace.ts, terminal.ts   the live view      log.ts      what is said on stderr
 *   format.ts, format-width.ts          text made safe
 */
export { runCli } from './run.ts';
export type {
  DemoJudgement,
  DemoWeb,
  Input,
  OpenFolder,
  Output,
  OutputFile,
  StopSignal,
  World,
} from './world.ts';
