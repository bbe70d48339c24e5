/**
 * The commands, as their help shows them: what each is for, how it is called, and which
 * settings it takes. The settings themselves are described in the table (`../../config/`).
 */
import type { Entry, SectionName, SettingKey } from '../../config/index.ts';

export interface Command {
  readonly name: string;
  /** What follows the name: `URL…`, `URL`. */
  readonly operands: string;
  readonly summary: string;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Whole sections, or single settings. */
  readonly takes: readonly (SectionName | SettingKey)[];
}

const READING = [
  ...(['crawl.dir', 'output.format', 'output.json', 'output.output'] as const),
  ...(['output.verbose', 'cluster', 'broker'] as const),
] as const;

const DECIDING = [
  ...READING,
  ...(['comply.url', 'show.host', 'comply.subdomains', 'comply.pattern'] as const),
  ...(['comply.reason', 'comply.by'] as const),
] as const;

export const COMMANDS: readonly Command[] = [
  {
    name: 'crawl',
    operands: 'URL…',
    summary: 'Crawl from these URLs, politely, into a folder; given again, go on.',
    examples: [
      ['orb crawl https://example.com/', 'one site, 1 request a second'],
      ['orb crawl https://example.com/ --limit 500 --depth 3', 'a part of it'],
      ['orb crawl -i seeds.txt --scope domain --dir news', 'many sites, folder of your choice'],
      ["orb crawl https://example.com/ --include '/docs/' --json", 'pages as JSON lines'],
      ['orb crawl https://example.com/ --keep-fresh', 'never end, visit again what is due'],
      ['orb crawl https://example.com/ --markdown -o site.md', 'its text as Markdown'],
      ['orb crawl http://127.0.0.1:8080/ --allow-private --rate max', 'your own server, fast'],
      ['orb crawl https://example.com/ --ring http://127.0.0.1:7070/', 'by all nodes of a ring'],
    ],
    takes: [
      ...['crawl', 'limits', 'scope', 'polite', 'agent', 'usage', 'fetch', 'content', 'network'],
      ...['recrawl', 'rank', 'traps', 'render', 'store', 'regions', 'cpu', 'hooks'],
      ...['output', 'readable', 'ring.ring', 'ring.apiToken'],
    ] as (SectionName | SettingKey)[],
  },
  {
    name: 'status',
    operands: '',
    summary: 'Say how far the crawl in a folder is, also while it runs.',
    examples: [['orb status --dir news', 'pages, queue, hosts, errors']],
    takes: READING,
  },
  {
    name: 'pages',
    operands: '',
    summary: 'List the pages that a folder holds.',
    examples: [
      ['orb pages --dir news --format csv -o pages.csv', 'a table for a spreadsheet'],
      ['orb pages --state failed --host www.example.com', 'what failed on one host'],
      ['orb pages --flag near_duplicate', 'what nearly repeats another page, and which'],
      ['orb pages --format markdown -o pages.md', 'their main text, to read or to feed a model'],
    ],
    takes: [
      ...READING,
      'readable',
      'show.state',
      'show.flag',
      'show.host',
      'show.maxRows',
      'comply.storedIn',
    ],
  },
  {
    name: 'links',
    operands: '[URL]',
    summary: 'List the links that were found, all or those of one page.',
    examples: [['orb links https://example.com/ --dir news', 'source, target, text, rel']],
    takes: [...READING, 'show.host', 'show.maxRows'],
  },
  {
    name: 'why',
    operands: 'URL',
    summary: 'Tell the story of one URL: why it was, was not, or will be crawled.',
    examples: [['orb why https://example.com/private/ --dir news', 'each decision with its rule']],
    takes: READING,
  },
  {
    name: 'audit',
    operands: 'WHAT',
    summary: 'Prove how gently hosts were asked, and who decided what.',
    examples: [
      ['orb audit politeness --dir news', 'smallest gap and largest rate of each host'],
      ['orb audit verify --dir news', 'is the audit trail whole? Ends with 1 when it is not'],
      ['orb audit list --dir news', 'every decision: who, when, what, why'],
      ['orb audit rules --dir news', 'what is denied or held now'],
    ],
    takes: [...READING, 'show.host', 'show.maxRows'],
  },
  {
    name: 'rank',
    operands: '',
    summary: 'Rate hosts by the links between them, and order the queue by it.',
    examples: [
      ['orb rank --dir news', 'the best hosts, and how many URLs moved'],
      ['orb rank --dir news --trust-host mirror.example.com', 'free a host that was denied'],
    ],
    takes: [...READING, 'rank.denySpam', 'rank.trustHost', 'show.top'],
  },
  {
    name: 'recrawl',
    operands: 'WHAT…',
    summary: 'Ask for pages again at once, also while a crawl runs.',
    examples: [
      ['orb recrawl https://example.com/ --dir news', 'one page'],
      ["orb recrawl 'https://example.com/news/*' --dir news", 'all that begin so'],
      ['orb recrawl www.example.com --later', 'a host, with the next crawl'],
    ],
    takes: [
      ...['crawl.dir', 'show.all', 'show.later', 'polite', 'agent', 'fetch', 'content', 'network'],
      ...['recrawl', 'store', 'regions', 'cpu', 'output', 'cluster', 'broker'],
    ] as (SectionName | SettingKey)[],
  },
  {
    name: 'block',
    operands: '',
    summary: 'Never ask for pages again; what is kept of them stays.',
    examples: [
      ['orb block --host example.com --subdomains --reason "asked us to stop"', 'opt out'],
      ["orb block --pattern 'https://example.com/people/*' --reason privacy", 'a part of a site'],
      ['orb block --host example.com --release --reason "a slip"', 'ask for it again'],
    ],
    takes: [...DECIDING, 'comply.release'],
  },
  {
    name: 'erase',
    operands: '',
    summary: 'Erase what is kept of pages, and never ask for them again.',
    examples: [
      ['orb erase --url https://example.com/people/42 --reason "ticket 4711"', 'one page'],
      ['orb erase --host example.com --reason "court order" --by anna', 'all of a host'],
      ['orb erase --stored-in eu --reason "moved to us"', 'what has that tag of --region'],
    ],
    takes: [...DECIDING, 'comply.storedIn'],
  },
  {
    name: 'jobs',
    operands: '[WORD ID]',
    summary: 'List the jobs of a crawl; pause, resume or cancel one.',
    examples: [
      ['orb jobs', 'what each has come to; 0 is the crawl itself'],
      ['orb jobs pause 3', 'ask for nothing more of it, and keep what waits'],
      ['orb jobs resume 3', 'go on with it'],
      ['orb jobs cancel 3', 'end it, and forget what it has not fetched'],
    ],
    takes: READING,
  },
  {
    name: 'hold',
    operands: '',
    summary: 'Keep pages for the law: they are not erased until released.',
    examples: [
      ['orb hold --host example.com --reason "case 12/2026"', 'keep'],
      ['orb hold --host example.com --release --reason "case closed"', 'let go'],
    ],
    takes: [...DECIDING, 'comply.release'],
  },
  {
    name: 'complain',
    operands: 'HOST',
    summary: 'Record the complaint of a site; --opt-out: never ask again.',
    examples: [['orb complain example.com --text "too fast" --opt-out', 'and stop for ever']],
    takes: [...READING, 'comply.text', 'comply.by', 'comply.optOut'],
  },
  {
    name: 'changes',
    operands: '',
    summary: 'List what is new, changed, gone or moved.',
    examples: [
      ['orb changes --since 7d --dir news', 'in the last week'],
      ['orb changes --dir today --against yesterday --json', 'from one crawl to another'],
    ],
    takes: [...READING, 'show.since', 'show.against', 'show.host', 'show.maxRows'],
  },
  {
    name: 'export',
    operands: 'FORM',
    summary: 'Write the crawl as WARC, CDXJ, WACZ, JSONL, CSV, Parquet or Markdown.',
    examples: [
      ['orb export wacz --dir news', 'one file to open in replayweb.page'],
      ['orb export warc --dir news --out archive', 'a folder of WARC files of up to 1 GB'],
      ['orb export cdxj --dir news --out archive', 'the same, with an index beside them'],
      ['orb export parquet --dir news --what links', 'a table for DuckDB and the like'],
      ['orb export csv --dir news --out pages.csv', 'a table for a spreadsheet'],
      ['orb export markdown --dir news --front-matter', 'a file for each page'],
    ],
    takes: [
      ...(['readable.frontMatter', 'readable.wholePage', 'readable.images'] as const),
      ...(['crawl.dir', 'output.output', 'output.quiet', 'output.verbose'] as const),
      ...(['show.what', 'show.host'] as const),
    ],
  },
  {
    name: 'serve',
    operands: '[token …]',
    summary: 'Crawl without end, with a REST API in front.',
    examples: [
      ['orb serve --dir news', 'at http://127.0.0.1:7070/, for this machine alone'],
      ['orb serve token add ci --role operate', 'make a token, shown once'],
      ['orb serve --bind 0.0.0.0 --server-name crawl.example.com', 'for others, with tokens'],
      ['orb serve --roles fetch --frontier http://node-1:7070/', 'requests for that node alone'],
      ['orb serve --roles parse --frontier http://node-1:7070/', 'its pages are read here'],
      ['orb serve --roles render --frontier http://node-1:7070/', 'or rendered'],
    ],
    takes: [
      ...[
        'serve',
        'cluster',
        'broker',
        'fetcher',
        'nearness',
        'crawl.dir',
        'limits',
        'scope',
        'polite',
        'agent',
        'usage',
        'fetch',
        'content',
        'network',
      ],
      ...['recrawl', 'rank', 'traps', 'render', 'store', 'regions', 'cpu', 'hooks'],
      ...['output.logFormat', 'output.quiet', 'output.verbose'],
    ] as (SectionName | SettingKey)[],
  },
  {
    name: 'ring',
    operands: 'WORD …',
    summary: 'Crawl with many equal nodes: start a ring, join it, leave it.',
    examples: [
      ['orb ring start --dir n1', 'a ring of one node; the secret is in n1/ring.secret'],
      ['orb ring join 192.0.2.7:7946 --dir n2 --secret-file ring.secret', 'one node more'],
      ['orb ring status --dir n1', 'who is there, and what this node owns and keeps'],
      ['orb ring leave --dir n2', 'hand everything over, and go'],
      ['orb ring keygen ring-key.json', 'a key to sign certificates with, instead of a secret'],
      ['orb ring id --dir n2', "a node's public key, to be certified"],
      ['orb ring certify ring-key.json PUBLIC-KEY n2', 'its certificate, for a year'],
    ],
    takes: [
      ...[
        ...['ring.listen', 'ring.announce', 'ring.via', 'ring.secretFile', 'ring.secret'],
        ...['ring.certificate', 'ring.ringKey', 'ring.copies', 'ring.ack', 'ring.ringTerm'],
      ],
      ...['serve', 'crawl.dir', 'limits', 'scope', 'polite', 'agent', 'usage', 'fetch', 'content'],
      ...['network', 'recrawl', 'traps', 'render', 'store', 'regions', 'nearness', 'cpu', 'hooks'],
      ...['output.logFormat', 'output.json', 'output.quiet', 'output.verbose'],
    ] as (SectionName | SettingKey)[],
  },
  {
    name: 'demo',
    operands: '',
    summary: 'Crawl the built-in test web on this machine, without the internet.',
    examples: [['orb demo', 'a whole crawl in a minute']],
    takes: ['crawl.dir', 'crawl.fresh', 'limits.limit', 'fetch.concurrency', 'cpu', 'output'],
  },
  {
    name: 'doctor',
    operands: '',
    summary: 'Say what is installed, reachable and missing, with the fix.',
    examples: [
      ['orb doctor', 'Node, disk, clock, folder, browser'],
      ['orb doctor --lookup example.com', 'the name server, too'],
      ['orb doctor --config cluster.json', 'every engine of a cluster, too'],
      ['orb doctor --dir n1', 'a node of a ring: its port, what lets it in, who answers'],
      ['orb doctor --lifecycle json', 'rules for the bucket of bodies, to be put there'],
    ],
    takes: [
      'cluster',
      'broker',
      ...(['crawl.dir', 'network.dns', 'output.json', 'show.lookup', 'show.lifecycle'] as const),
      ...(['agent.signKey', 'agent.signatureAgent', 'render.chromium'] as const),
      ...(['ring.listen', 'ring.announce', 'ring.secretFile', 'ring.secret'] as const),
      ...(['ring.certificate', 'ring.ringKey'] as const),
    ],
  },
  {
    name: 'plan',
    operands: '',
    summary: 'Say what a crawl of a given size takes: rates, bytes, machines, money.',
    examples: [
      ['orb plan --pages-per-day 1e9 --page-size 100KB', 'each figure with its formula'],
      ['orb plan --pages-per-day 20M --hosts 50k --delay 2s', 'will politeness allow it?'],
      ['orb plan --known-urls 50B --bits-per-url 14', 'the rate that these bits really give'],
      ['orb plan --preset billion-a-day', 'a quoted estimate, and what follows from it'],
      ['orb plan --config prices.json --format csv', 'with your prices, for a spreadsheet'],
    ],
    takes: [
      ...(['plan', 'fleet', 'price', 'store.falsePositive', 'polite.rate'] as const),
      ...(['polite.delay', 'polite.hostQuotaPerDay', 'output.format', 'output.json'] as const),
      'output.output',
    ],
  },
  {
    name: 'key',
    operands: 'new|show|check',
    summary: 'Make, show or check the key that requests are signed with.',
    examples: [
      ['orb key new --out orb-key.json', 'a new key, and the directory to publish'],
      ['orb key show orb-key.json', 'the directory and key id of a key that is there'],
      ['orb key show new-key.json old-key.json', 'both, while one takes over'],
      ['orb key check', 'do sites find it where the settings say?'],
    ],
    takes: [
      ...(['agent.signKey', 'agent.signatureAgent', 'network'] as const),
      ...(['output.output', 'output.quiet', 'output.verbose'] as const),
    ],
  },
];

export function commandByName(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** Whether the command takes the flag of this setting; for `resolveSettings`. */
export function takes(command: Command, entry: Entry): boolean {
  if (entry.key === 'crawl.config') return true;
  return command.takes.includes(entry.section) || command.takes.includes(entry.key);
}
