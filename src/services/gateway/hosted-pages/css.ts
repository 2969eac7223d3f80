import { createHash } from 'node:crypto'

/** Styles of the hosted pages: light and dark, from phone width up, without external resources. */
export const style = `
:root { color-scheme: light dark;
  --ink: #14201a; --quiet: #55625b; --paper: #eef1ee; --card: #fff; --line: #dfe5e1; --soft: #f5f8f6;
  --brand: #0b6b43; --brand-ink: #fff; --glow: #d7efe2; --warn: #7a4d00; --warn-bg: #fff4dc; --bad: #a1241c; --bad-bg: #fdecea }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e9efeb; --quiet: #9fada5; --paper: #0c110e; --card: #151c18; --line: #27322c; --soft: #1b2420;
  --brand: #46d391; --brand-ink: #06140d; --glow: #14382a; --warn: #f3c66b; --warn-bg: #322710; --bad: #ff9d94; --bad-bg: #3a1a17 } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
/* Lines break between words, not within one. */
:lang(ko) { word-break: keep-all } :lang(ja) { word-break: auto-phrase }
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; display: flex; flex-direction: column }
/* At the top on phones: centered content would move while the page loads. */
main { width: 100%; max-width: 56rem; margin: 0 auto auto; padding: 1rem }
[hidden] { display: none !important }
.test { margin: 0; padding: .4rem 1rem; text-align: center; font-size: .875rem; background: var(--warn-bg); color: var(--warn) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; overflow: hidden; box-shadow: 0 1px 2px #0001, 0 12px 40px #0000000d }
.order { container-type: inline-size; padding: 1.5rem; background: var(--soft); border-bottom: 1px solid var(--line) }
.shop { margin: 0; color: var(--quiet); font-size: .9rem }
.price { margin: .1rem 0 0; font-size: clamp(1.15rem, 11cqi, 2rem); line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.for { margin: .5rem 0 0; color: var(--quiet); overflow-wrap: anywhere }
.facts { margin: 1.25rem 0 0; display: grid; gap: .5rem }
.facts div { display: flex; justify-content: space-between; gap: 1rem }
.facts dt { min-width: 0; color: var(--quiet); overflow-wrap: anywhere } .facts dd { margin: 0; max-width: 75%; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: break-word }
.pay { padding: 1.5rem }
.status { display: flex; gap: .85rem; align-items: flex-start }
.status h1 { font-size: 1.2rem; line-height: 1.3; margin: 0 }
.status p { margin: .15rem 0 0; color: var(--quiet) }
.mark { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; display: grid; place-items: center; background: var(--glow); color: var(--brand) }
.mark svg { width: 1.4rem; height: 1.4rem; fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round }
.mark svg { display: none }
[data-phase=waiting] .m-wait, [data-phase=partly] .m-wait, [data-phase=seen] .m-wait, [data-phase=paid] .m-done, [data-phase=returning] .m-back, [data-phase=refunded] .m-back, [data-phase=expired] .m-stop, [data-phase=late] .m-stop, [data-phase=failed] .m-stop { display: block }
[data-phase=partly] .mark { background: var(--warn-bg); color: var(--warn) }
[data-phase=expired] .mark, [data-phase=late] .mark, [data-phase=failed] .mark { background: var(--bad-bg); color: var(--bad) }
@media (prefers-reduced-motion: no-preference) { .m-wait { animation: turn 2.4s linear infinite } @keyframes turn { to { transform: rotate(1turn) } } }
.send { display: grid; gap: 1.25rem; margin-top: 1.25rem }
.qr { justify-self: center; width: min(16rem, 70vw); overflow: hidden; background: #fff; border: 1px solid var(--line); border-radius: 1rem }
.qr svg { display: block; width: 100%; height: auto; shape-rendering: crispEdges }
.field { border: 1px solid var(--line); border-radius: .8rem; padding: .6rem .6rem .6rem .9rem; display: flex; gap: .75rem; align-items: center; background: var(--soft) }
.field + .field { margin-top: .75rem }
.field > span { flex: 1; min-width: 0 }
.field b { display: block; font-weight: 500; font-size: .8rem; color: var(--quiet) }
.field output { display: block; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; font-weight: 600 }
.field .mono { font: 600 .9rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
button, .button { font: inherit; font-weight: 600; cursor: pointer; border-radius: .7rem; border: 1px solid transparent; padding: .7rem 1.1rem; text-align: center; text-decoration: none; display: inline-block; min-height: 2.75rem }
.copy { padding: .45rem .8rem; background: var(--card); border-color: var(--line); color: var(--ink); font-size: .875rem }
.main { background: var(--brand); color: var(--brand-ink); display: block; width: 100% }
.plain { background: none; color: var(--quiet); text-decoration: underline; text-underline-offset: .2em; display: block; width: 100% }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px }
.warning { margin: 1rem 0 0; padding: .75rem .9rem; border-radius: .8rem; background: var(--warn-bg); color: var(--warn); font-size: .925rem }
.clock { margin: 1rem 0 0; color: var(--quiet); text-align: center; font-variant-numeric: tabular-nums }
.clock time { color: var(--ink); font-weight: 700 }
progress { width: 100%; height: .5rem; margin-top: 1.25rem; accent-color: var(--brand) }
.ways { margin-top: 1.25rem; display: grid; gap: .5rem }
.search::placeholder { font-size: clamp(.8rem, 4vw, 1rem) } .search { text-overflow: ellipsis; width: 100%; margin-top: 1.25rem; font: inherit; padding: .6rem .9rem; min-height: 2.75rem; border: 1px solid var(--line); border-radius: .7rem; background: var(--soft); color: var(--ink) }
.coins, .coins ul { list-style: none; margin: 1.25rem 0 0; padding: 0; display: grid; gap: .6rem }
.coins ul { margin: .6rem 0 0; padding-left: .8rem; border-left: 2px solid var(--line) }
.coins summary { list-style: none; cursor: pointer; border: 1px solid var(--line); border-radius: .7rem } .coins summary::-webkit-details-marker { display: none }
.coins summary::after { content: ''; flex: none; margin-left: auto; width: .5rem; height: .5rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(45deg) }
.coins [open] summary::after { transform: rotate(-135deg) } .coins [open] summary, .coins summary:hover { border-color: var(--brand); background: var(--soft) }
.coins .due { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums }
.coins button, .coins summary { width: 100%; display: flex; align-items: center; gap: .8rem; text-align: left; background: var(--card); color: var(--ink); border-color: var(--line); padding: .65rem .8rem; font-weight: 400 }
.coins button:hover:enabled { border-color: var(--brand); background: var(--soft) }
.coins button:disabled { cursor: not-allowed; color: var(--quiet) }
.coins strong { display: block; line-height: 1.3 } .coins small { color: var(--quiet); display: block; line-height: 1.35; overflow-wrap: anywhere } .coins span { min-width: 0 }
.coins i { flex: none; width: 2.25rem; height: 2.25rem; border-radius: 50%; display: grid; place-items: center; font: 700 .62rem/1 system-ui, sans-serif; letter-spacing: -.01em; color: #fff; background: #4b5563 }
.c-btc { background: #b45309 !important } .c-eth { background: #4f5fd0 !important } .c-usdt { background: #0f7a5f !important } .c-usdc { background: #1f63c4 !important }
.c-bnb { background: #8a6400 !important } .c-matic { background: #7132d6 !important } .c-avax { background: #c0282c !important } .c-trx { background: #b91c2e !important } .c-sol { background: #5b3bb0 !important }
.soft { background: var(--soft); border-color: var(--line); color: var(--ink); display: block; width: 100% }
.hint { margin: .5rem 0 0; color: var(--quiet); font-size: .9rem } .fault { margin: .5rem 0 0; color: var(--bad) } [aria-invalid] { border-color: var(--bad) } label { display: block; font-weight: 600 } .send .search { margin-top: .4rem }
.receipt { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line) } .receipt h2 { margin: 0 0 .75rem; font-size: 1rem }
.receipt ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 1rem } .receipt dl { margin: 0; display: grid; gap: .25rem } .receipt dl div { display: flex; justify-content: space-between; gap: 1rem }
.receipt dt { color: var(--quiet); flex: none; max-width: 50% } .receipt dd { margin: 0; text-align: right; overflow-wrap: anywhere; min-width: 0; font-variant-numeric: tabular-nums } .receipt a { color: var(--brand) } .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem }
.still { margin: 1rem 0 0; text-align: center; color: var(--quiet) } .still a { color: inherit; font-weight: 600 }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
footer { text-align: center; color: var(--quiet); font-size: .8rem; padding: .5rem 1rem 1.25rem } footer p { margin: .25rem 0 0 }
footer ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .35rem }
footer a { display: inline-block; padding: .35rem .5rem; color: inherit; text-decoration: none } footer a:hover { text-decoration: underline } footer [aria-current] { color: var(--ink); font-weight: 700 }
:lang(zh-Hans), :lang(zh-Hant), :lang(ja), :lang(ko) { line-break: strict; word-break: normal } :lang(ko) { word-break: keep-all }
@media (min-width: 48rem) { main { padding: 2rem; margin: auto }
  .card { display: grid; grid-template-columns: minmax(15rem, 2fr) 3fr } .order { border: 0; border-right: 1px solid var(--line); padding: 2rem } .pay { padding: 2rem }
  .card.lone { grid-template-columns: 1fr; max-width: 34rem; margin: auto } .price { font-size: clamp(1.15rem, 11cqi, 2.4rem) } }
@media print { :root { color-scheme: light; --ink: #000; --quiet: #444; --paper: #fff; --card: #fff; --line: #bbb; --soft: #fff; --brand: #000 } @page { margin: 16mm }
  footer, .ways, button, .mark, progress { display: none !important } main { padding: 0; max-width: none; margin: 0 } .card { display: block; border: 0; border-radius: 0; overflow: visible; box-shadow: none } .order { border: 0; border-bottom: 1px solid var(--line); padding: 0 0 1rem } .pay { padding: 1rem 0 } .receipt li { break-inside: avoid } }
`

/** Hides controls that need the script, for browsers without it. Showing them only later would shift the page. */
export const scriptlessStyle = '[data-search], [data-copy], [data-print] { display: none }'

const hashes = [style, scriptlessStyle].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)

/** Content security policy: own styles and scripts only, no framing. */
export const policy = [
  "default-src 'none'",
  `style-src ${hashes.join(' ')}`,
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
