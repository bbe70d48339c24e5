/**
 * What becomes of bodies as they grow old (B1): 30 days at hand, then seldom asked for, from 90
 * days on in the archive; and parts that nobody finished are given up after a week.
 *
 *   orb doctor --lifecycle json > rules.json
 *   aws s3api put-bucket-lifecycle-configuration --bucket B --lifecycle-configuration file://rules.json
 *
 * Both forms say the same: JSON for that command, XML for the API of any S3 server.
 */
export interface Lifecycle {
  readonly prefix?: string;
  readonly infrequentAfterDays?: number;
  readonly archiveAfterDays?: number;
  /** Of the archive; `GLACIER_IR` answers at once, `GLACIER` and `DEEP_ARCHIVE` after hours. */
  readonly archiveClass?: 'GLACIER_IR' | 'GLACIER' | 'DEEP_ARCHIVE';
  /** Never, unless told. */
  readonly expireAfterDays?: number;
}

const UNFINISHED_DAYS = 7;

interface Rule {
  readonly id: string;
  readonly transitions: readonly (readonly [days: number, storageClass: string])[];
  readonly expireAfterDays?: number;
}

/** Throws RangeError where a body would be archived before it is seldom asked for. */
export function lifecycleJson(lifecycle: Lifecycle = {}): string {
  const { id, transitions, expireAfterDays } = ruleOf(lifecycle);
  const rule = {
    ...{ ID: id, Status: 'Enabled', Filter: { Prefix: lifecycle.prefix ?? '' } },
    Transitions: transitions.map(([Days, StorageClass]) => ({ Days, StorageClass })),
    ...(expireAfterDays && { Expiration: { Days: expireAfterDays } }),
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: UNFINISHED_DAYS },
  };
  return `${JSON.stringify({ Rules: [rule] }, null, 2)}\n`;
}

export function lifecycleXml(lifecycle: Lifecycle = {}): string {
  const { id, transitions, expireAfterDays } = ruleOf(lifecycle);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    '  <Rule>',
    `    <ID>${id}</ID>`,
    `    <Filter><Prefix>${escaped(lifecycle.prefix ?? '')}</Prefix></Filter>`,
    '    <Status>Enabled</Status>',
    ...transitions.map(
      ([days, name]) =>
        `    <Transition><Days>${days}</Days><StorageClass>${name}</StorageClass></Transition>`,
    ),
    ...(expireAfterDays ? [`    <Expiration><Days>${expireAfterDays}</Days></Expiration>`] : []),
    '    <AbortIncompleteMultipartUpload>',
    `      <DaysAfterInitiation>${UNFINISHED_DAYS}</DaysAfterInitiation>`,
    '    </AbortIncompleteMultipartUpload>',
    '  </Rule>',
    '</LifecycleConfiguration>',
    '',
  ].join('\n');
}

function ruleOf(lifecycle: Lifecycle): Rule {
  const { infrequentAfterDays = 30, archiveAfterDays = 90 } = lifecycle;
  const { archiveClass = 'GLACIER_IR', expireAfterDays } = lifecycle;
  const days = [infrequentAfterDays, archiveAfterDays, expireAfterDays ?? Number.POSITIVE_INFINITY];
  const isRising = days.every((day, i) => day > (days[i - 1] ?? 0));
  if (!isRising || days.slice(0, 2).some((day) => !Number.isInteger(day))) {
    throw new RangeError(`whole days that rise are needed, not ${days.join(', ')}`);
  }
  return {
    id: 'orbweaver-bodies',
    transitions: [
      [infrequentAfterDays, 'STANDARD_IA'],
      [archiveAfterDays, archiveClass],
    ],
    ...(expireAfterDays && { expireAfterDays }),
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
