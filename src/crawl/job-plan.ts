/** From settings to what jobs are told: the crawl's own rules, with a scope and depth of theirs. */
import type { Settings } from '../config/index.ts';
import type { JobEntry } from '../ports/job-book.ts';
import type { JobPlan } from './job-board.ts';
import { admitRulesFrom } from './plan.ts';

/** What a crawl began with. */
export interface Beginning {
  readonly seeds: readonly string[];
  readonly createdAt: string;
}

export function jobPlanFrom(settings: Settings, beginning: Beginning): JobPlan {
  const { stripWww } = settings.scope;
  return {
    ...{ own: ownJob(settings, beginning), stripWww },
    rulesFor: ({ scope: kind, depth = settings.limits.depth }, seeds) => {
      const scope = { ...settings.scope, scope: kind };
      const rules = admitRulesFrom({ ...settings, scope }, seeds);
      return { ...rules, depthMax: Math.min(depth, rules.depthMax) };
    },
  };
}

/** The crawl itself, as a job. */
function ownJob({ scope }: Settings, { seeds, createdAt }: Beginning): JobEntry {
  return {
    ...{ id: 0, name: 'the crawl itself', createdAt: Date.parse(createdAt) },
    ...{ seeds: seeds.length, priority: 'normal', scope: scope.scope },
  };
}
