/** What `npm run test:full -- cluster-faults --seed 7 --minutes 2 --only redis` asks for. */
const SMALL = { hosts: 40, pages: 1_200 };
const FULL = { hosts: 400, pages: 20_000 };

const env = process.env;
const usual = env.ORB_FULL_SIZE === 'small' ? SMALL : FULL;

export const choice = {
  /** Scenarios that were named. */
  names: (env.ORB_FULL_NAMES ?? '').split(',').filter((name) => name !== ''),
  seed: Number(env.ORB_FULL_SEED ?? 1),
  /** How long there are faults, if that was said. */
  minutes: env.ORB_FULL_MINUTES === undefined ? undefined : Number(env.ORB_FULL_MINUTES),
  /** Pages of the hot host. */
  hot: Number(env.ORB_FULL_HOT ?? (env.ORB_FULL_SIZE === 'small' ? 1_000 : 10_000)),
  /** Of a ring. */
  nodes: Number(env.ORB_FULL_NODES ?? 8),
  /** Faults whose name has this in it; all of them unless told. */
  only: env.ORB_FULL_ONLY ?? '',
  isSmall: env.ORB_FULL_SIZE === 'small',
  size: {
    hosts: Number(env.ORB_FULL_HOSTS ?? usual.hosts),
    pages: Number(env.ORB_FULL_PAGES ?? usual.pages),
  },
};
