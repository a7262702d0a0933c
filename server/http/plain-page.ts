import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDataRoute } from './data-routes.ts'
import { Html, html } from './html.ts'

export type PlainPage = { title: string; content: Html; script?: string }
export type Nonces = { style: string; script: string }

const style = new Html(`
:root {
  color-scheme: light dark;
  --ground: light-dark(#f5f7f6, #15181a);
  --panel: light-dark(#ffffff, #1b1f21);
  --hairline: light-dark(#dfe3e1, #33393c);
  --border: light-dark(#818b87, #79858a);
  --text: light-dark(#1f2426, #dfe3e5);
  --dimmed: light-dark(#59636a, #a3adb3);
  --accent: light-dark(#2f6b4f, #6fbf95);
  --on-accent: light-dark(#ffffff, #10241a);
  --alarm: light-dark(#b3261e, #ff8f85);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 24px 16px; display: grid; align-content: center; justify-items: center;
  background: var(--ground); color: var(--text);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main {
  width: 100%; max-width: 440px; padding: 24px;
  background: var(--panel); border: 1px solid var(--hairline); border-radius: 8px;
}
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 16px; color: var(--dimmed); font-size: 13px; }
.brand svg { width: 24px; height: 24px; flex: none; }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3; font-weight: 600; text-wrap: balance; }
h2 { margin: 24px 0 8px; font-size: 14px; font-weight: 600; }
p { margin: 0 0 12px; }
code { font-size: 13px; overflow-wrap: anywhere; }
.dimmed { color: var(--dimmed); }
.alarm { color: var(--alarm); font-weight: 600; }
.ways { display: flex; flex-wrap: wrap; gap: 8px; margin: 24px 0 0; }
.button, button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 16px;
  border: 1px solid var(--border); border-radius: 8px; background: transparent; color: inherit;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.button:hover, button:hover { border-color: var(--accent); }
.button.primary, button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
form { margin: 0; }
.people { display: grid; gap: 8px; margin: 16px 0; padding: 0; list-style: none; }
.people button { width: 100%; justify-content: flex-start; text-align: start; font-weight: 400; padding: 12px 16px; }
.people strong, .people span { display: block; }
.fields { display: grid; gap: 12px; margin-top: 12px; }
label { display: grid; gap: 4px; font-weight: 600; }
input {
  width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--border); border-radius: 8px;
  background: var(--panel); color: inherit; font: inherit; font-size: 16px; font-weight: 400;
}
details { border-top: 1px solid var(--hairline); border-bottom: 1px solid var(--hairline); margin-bottom: 16px; }
summary { min-height: 44px; gap: 4px; display: flex; align-items: center; cursor: pointer; font-weight: 600; }
summary::before { content: '›'; width: 16px; font-size: 18px; line-height: 1; }
details[open] > summary::before { transform: rotate(90deg) translateX(2px); }
details > form { padding-bottom: 16px; }
`)

const icon = new Html(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#2f6b4f"/><path d="M6 22 13 9l6 9 3-4 5 8z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/><path d="M6 25.5h21" stroke="#fff" stroke-width="2.4" stroke-linecap="round" opacity=".7"/></svg>',
)

export function renderPage({ title, content, script }: PlainPage, nonces: Nonces): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${title} – POA Land Management</title>
<style nonce="${nonces.style}">${style}</style>
</head>
<body>
<main>
<p class="brand">${icon} POA Land Management</p>
${content}
</main>
${script !== undefined && html`<script nonce="${nonces.script}">${new Html(script)}</script>`}
</body>
</html>
`.text
}

export function isForPerson({ headers, routeOptions, url }: FastifyRequest): boolean {
  return (headers.accept?.includes('text/html') ?? false) && !isDataRoute(routeOptions.url ?? url)
}

export function sendPage(reply: FastifyReply, status: number, page: PlainPage) {
  return reply
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(renderPage(page, reply.cspNonce))
}
