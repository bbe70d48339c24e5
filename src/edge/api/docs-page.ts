/** The API as a page to read, from the same list: no script, nothing from elsewhere. */
import type { Endpoint } from './endpoint.ts';
import { parametersIn } from './openapi.ts';
import { PROBLEMS } from './problem.ts';

export const DOCS_STYLE = `:root { color-scheme: light dark; --line: #8886; --soft: #8882 }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem }
code, pre { font: .9rem/1.4 ui-monospace, monospace }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: .3rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0 }
tr { border-bottom: 1px solid var(--line) }
.role { font-size: .8rem; border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .6rem }
`;

export function docsPage(endpoints: readonly Endpoint[], version: string): string {
  const shown = endpoints.map(section).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Orbweaver API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
<h1>Orbweaver API <small>${html(version)}</small></h1>
<p>The same as a document for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
Beyond loopback, calls need <code>Authorization: Bearer TOKEN</code>; who may operate or comply
may also read.</p>
${shown}
<h2>Errors</h2>
<p>Errors are <code>application/problem+json</code>; their <code>type</code> stays the same.</p>
<table><tr><th>type</th><th>status</th><th>title</th></tr>${problemRows()}</table>
</main>
</body>
</html>
`;
}

function section(endpoint: Endpoint): string {
  const { method, path, summary, role } = endpoint;
  const who = role === undefined ? '' : ` <span class="role">${role}</span>`;
  return `<section>
<h2><code>${method} ${html(path)}</code>${who}</h2>
<p>${html(summary)}.</p>
${parameters(endpoint)}${body(endpoint)}${answers(endpoint)}</section>`;
}

function parameters({ params, query }: Endpoint): string {
  const all = [...parametersIn('path', params), ...parametersIn('query', query)];
  if (all.length === 0) return '';
  const rows = all.map(({ name, in: where, required, schema, description = '' }) => {
    const what = `${where}${required ? ', needed' : ''}`;
    return `<tr><td><code>${html(name)}</code></td><td>${what}</td><td>${html(description)}
<code>${html(JSON.stringify(schema))}</code></td></tr>`;
  });
  return `<table>${rows.join('')}</table>\n`;
}

function body(endpoint: Endpoint): string {
  if (endpoint.body === undefined) return '';
  return `<p>Takes</p><pre>${html(JSON.stringify(endpoint.body, undefined, 2))}</pre>\n`;
}

function answers(endpoint: Endpoint): string {
  const rows = Object.entries(endpoint.answers).map(
    ([status, { what, media = '' }]) =>
      `<tr><td>${status}</td><td>${html(what)}</td><td>${html(media)}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>\n`;
}

function problemRows(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([kind, { status, title }]) =>
      `<tr><td><code>/problems/${kind}</code></td><td>${status}</td><td>${html(title)}</td></tr>`,
  );
  return rows.join('');
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
