import { html, scriptEnd } from '../../../kit/html.ts'

/** The page around the desk's script, and the page that asks for the token. */

/** Content security policy of the desk: its own script, style and requests, and frames of this world's own pages. */
export const deskPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230f766e'/%3E%3Cpath d='M4 5h8v1.6H4zm0 2.9h8v1.6H4zm0 2.9h5v1.6H4z' fill='%23fff'/%3E%3C/svg%3E"

/** Returns the page of the desk. The token is for its script, which sends it with every request. */
export function deskPage(options: { token: string; version: string; actions: string }): string {
  const { token, version, actions } = options
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="desk-token" content="${token}">
<meta name="desk-actions" content="${actions}">
<title>Desk · countroom</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/desk/assets/${version}/desk.css">
<script type="module" src="/desk/assets/${version}/app.js">${scriptEnd}
</head>
<body><div id="desk"><p class="booting">Opening the desk…</p></div></body>
</html>
`.text
}

/** Returns the page that asks for the token. */
export function tokenPage(options: { version: string; isWrong: boolean }): string {
  const { version, isWrong } = options
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Desk · countroom</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/desk/assets/${version}/desk.css">
</head>
<body class="gate"><main>
<h1>The desk of this world</h1>
${isWrong ? html`<p class="problem" role="alert">This token is not the one of this world. It changes with every start.</p>` : null}
<p><code>countroom serve</code> prints the link of the desk, and the ready file has it as <code>desk.url</code>.</p>
<form method="get" action="/desk"><label>Token <input name="token" autocomplete="off" spellcheck="false" required></label> <button class="primary">Open</button></form>
</main></body>
</html>
`.text
}
