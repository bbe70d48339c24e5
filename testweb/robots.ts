/**
 * robots.txt as hosts write it. What it means is written a second time, by hand, as `forbids` in
 * robots-kind.ts; a test holds the two together.
 */
import type { Host } from './hosts.ts';

const RULES = [
  'Disallow: /private/',
  'Allow: /private/open/',
  'Disallow: /search',
  'Disallow: /*/print$',
];
export const ROBOTS_BIG_BYTES = 600 * 1024;

export function robotsBody(host: Host, patienceSec: number): string {
  const maps = host.sitemap ? `\nSitemap: ${host.origin}/sitemap.xml\n` : '';
  switch (host.robots) {
    case 'open':
      return `User-agent: *\nDisallow:\n${maps}`;
    case 'sections':
    case 'redirected':
      return `# of ${host.index}\nUser-agent: *\n${RULES.join('\n')}\n${maps}`;
    case 'delayed':
      return `User-agent: *\nCrawl-delay: ${patienceSec}\n${RULES.join('\n')}\n${maps}`;
    case 'quirky':
      return quirky(maps);
    case 'agent-open':
      return agentOpen();
    case 'agent-shut':
      return 'User-agent: OrbWeaver\nDisallow: /\n\nUser-agent: *\nDisallow:\n';
    case 'big':
      return big(maps);
    default:
      return '';
  }
}

/** A byte order mark, CRLF and CR, odd case and blanks, an escaped rule, a line without sense. */
function quirky(maps: string): string {
  return (
    '\ufeffUSER-AGENT :  * # all of you\r\ndisallow:/%70rivate/ # escaped p\r\n' +
    '  Allow :\t/private/open/*\rDISALLOW: /search*\r\nnonsense here\r\n\r\n' +
    `Dis-allow: /\r\nDisallow: /*/print$\r\n${maps}`
  );
}

/** The named crawler has two groups, which count as one (RFC 9309, 2.2.1). */
function agentOpen(): string {
  return (
    'User-agent: *\nDisallow: /\n\nUser-agent: otherbot\nUser-agent: orbweaver\n' +
    `${RULES.slice(0, 2).join('\n')}\n\nUser-agent: thirdbot\nDisallow: /\n\n` +
    `User-agent: Orbweaver\n${RULES.slice(2).join('\n')}\n`
  );
}

/** The last rule lies past 500 KiB, and does not count (R1). */
function big(maps: string): string {
  const line = `# ${'padding '.repeat(12)}\n`;
  const rules = `User-agent: *\n${RULES.join('\n')}\n${maps}`;
  return `${rules}${line.repeat(Math.ceil(ROBOTS_BIG_BYTES / line.length))}Disallow: /\n`;
}
