/**
 * The page behind the address in our user agent (P6, P8): who asks, how to reach them, how to
 * make us stop, and how to tell us from an impostor.
 *
 * Plain HTML without script, style or anything fetched from elsewhere: it reads well in a
 * terminal and passes the strictest Content-Security-Policy. Everything that comes from settings
 * is text: escaped, and linked only when it is a web or mail address.
 */
export interface InfoPageFacts {
  /** The name in robots.txt: `Orbweaver`. */
  readonly robotsToken: string;
  /** The whole User-Agent as it is sent. */
  readonly userAgent: string;
  /** A URL or mail address of whoever runs the crawler. */
  readonly contact?: string | undefined;
  /** Where the key directory is, for a crawler that signs. */
  readonly directoryUrl?: string | undefined;
  /** Of the keys that it signs with. */
  readonly keyids?: readonly string[];
}

export function infoPage(facts: InfoPageFacts): string {
  const name = escaped(facts.robotsToken);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${name}, a web crawler</title>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${name}</h1>`,
    `<p>${name} is a web crawler. It asks a host for one page at a time, waits between pages,`,
    'slows down when a host is slow or says that it is busy, and obeys robots.txt.</p>',
    ...whoLines(facts),
    ...optOutLines(name),
    ...proofLines(facts),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function whoLines({ userAgent, contact }: InfoPageFacts): string[] {
  const lines = [
    '<h2>Who is asking</h2>',
    '<p>Every request names itself:</p>',
    `<pre><code>User-Agent: ${escaped(userAgent)}</code></pre>`,
  ];
  if (contact !== undefined) lines.push(`<p>Whoever runs it is reached at ${linked(contact)}.</p>`);
  return lines;
}

function optOutLines(name: string): string[] {
  return [
    '<h2>How to keep it out</h2>',
    '<p>This in <code>/robots.txt</code> keeps it away from the whole host, within a day:</p>',
    `<pre><code>User-agent: ${name}\nDisallow: /</code></pre>`,
    '<p>A <code>Crawl-delay</code> there makes it slower. <code>noindex</code>,',
    '<code>nofollow</code> and usage preferences of single pages are obeyed, too.',
    'For anything else, and to have pages removed that were fetched, write to the address above.</p>',
  ];
}

function proofLines({ directoryUrl, keyids = [] }: InfoPageFacts): string[] {
  if (directoryUrl === undefined) return [];
  const keys = keyids.map((keyid) => `<li><code>${escaped(keyid)}</code></li>`);
  return [
    '<h2>How to know that it is really this crawler</h2>',
    '<p>Its requests are signed (Web Bot Auth: HTTP Message Signatures, RFC 9421, Ed25519).',
    'A request with this name and without a valid signature is not ours.</p>',
    `<p>The public keys are at ${linked(directoryUrl)}.</p>`,
    ...(keys.length === 0 ? [] : ['<p>Key ids:</p>', '<ul>', ...keys, '</ul>']),
  ];
}

/** A link for what a browser may follow safely; plain text for all else. */
function linked(address: string): string {
  const text = escaped(address);
  if (/^https?:\/\/[^\s]+$/i.test(address)) return `<a href="${text}" rel="nofollow">${text}</a>`;
  if (/^[^\s@<>()"',;:?&]+@[\w.-]+$/.test(address)) return `<a href="mailto:${text}">${text}</a>`;
  return text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters have no place in a page, not even escaped. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? '').replace(/\p{C}/gu, '\ufffd');
}
