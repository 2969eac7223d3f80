/** Style of report pages for screens (light and dark, wide and narrow) and print. Its hash is in the page's policy. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #f5f4ef; --sheet: #ffffff; --sunk: #f0eee7; --ink: #1b1e23; --soft: #5a616c; --line: #dbd8ce; --grid: #e7e4da;
  --won: #1b6a86; --lost: #b0502a; --mark: #f3e3b6;
  --balanced: #1a6e46; --balanced-tint: #e3f2e9; --differences: #a8211a; --differences-tint: #fbe7e4;
  --cannot-conclude: #7d5700; --cannot-conclude-tint: #fbf0d6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131519; --sheet: #1b1e24; --sunk: #22262d; --ink: #e9e7e2; --soft: #a3a9b3; --line: #343942; --grid: #2a2f37;
    --won: #6fbbd8; --lost: #e6936b; --mark: #463a17;
    --balanced: #6bcf9b; --balanced-tint: #16301f; --differences: #ff9d93; --differences-tint: #3a1a18;
    --cannot-conclude: #e8ba53; --cannot-conclude-tint: #33290f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main, header, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.5rem; }
footer { padding-top: .5rem; padding-bottom: 3rem; color: var(--soft); font-size: .875rem; }
h1 { margin: .25rem 0 .25rem; font-size: 2.125rem; line-height: 1.15; letter-spacing: -.015em; font-weight: 650; }
h2 { margin: 0 0 .75rem; font-size: 1.1875rem; line-height: 1.3; font-weight: 650; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; font-weight: 650; }
p { margin: 0 0 .75rem; max-width: 46rem; }
.over { color: var(--soft); font-size: .8125rem; letter-spacing: .07em; text-transform: uppercase; font-weight: 600; }
.under { color: var(--soft); margin: 0; }
.soft { color: var(--soft); }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 1.375rem 1.5rem; margin: 1.25rem 0; }
.verdict { display: flex; gap: 1.125rem; align-items: flex-start; border-width: 1px; }
.verdict svg { flex: none; width: 2.75rem; height: 2.75rem; margin-top: .125rem; }
.verdict h2 { font-size: 1.5rem; margin-bottom: .125rem; letter-spacing: -.01em; }
.verdict p { margin: 0; max-width: none; }
.balanced { background: var(--balanced-tint); border-color: var(--balanced); }
.differences { background: var(--differences-tint); border-color: var(--differences); }
.cannot-conclude { background: var(--cannot-conclude-tint); border-color: var(--cannot-conclude); }
.balanced h2, .tag.balanced { color: var(--balanced); }
.differences h2, .tag.differences { color: var(--differences); }
.cannot-conclude h2, .tag.cannot-conclude { color: var(--cannot-conclude); }
.balanced .icon { stroke: var(--balanced); }
.differences .icon { stroke: var(--differences); }
.cannot-conclude .icon { stroke: var(--cannot-conclude); }
.icon { fill: none; stroke-width: 2.25; stroke-linecap: round; stroke-linejoin: round; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.tile { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: .875rem 1rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.25; font-weight: 620; letter-spacing: -.01em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.tile span { display: block; color: var(--soft); font-size: .875rem; }
ol, ul { margin: 0; padding-left: 1.25rem; }
li { margin: .25rem 0; max-width: 50rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin: 0 -1.5rem; padding: 0 1.5rem; }
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--won); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .4375rem .875rem .4375rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: .8125rem; font-weight: 600; white-space: nowrap; border-bottom-color: var(--soft); }
tbody th { font-weight: 600; }
tbody th .soft { font-weight: 400; font-size: .8125rem; }
bdi { overflow-wrap: anywhere; }
.stack td > bdi { overflow-wrap: break-word; }
tbody tr:last-child > * { border-bottom: 0; }
.grouped tr:not(.ends) > * { border-bottom-color: transparent; padding-bottom: .125rem; }
.grouped tr:not(.starts) > * { padding-top: .125rem; }
.repeated { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.units { text-align: right; white-space: nowrap; }
.off { color: var(--differences); font-weight: 600; }
.units.off { font-weight: inherit; }
.id { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: .8125rem; overflow-wrap: anywhere; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 999px; padding: 0 .5rem; font-size: .75rem; line-height: 1.4rem; white-space: nowrap; font-weight: 600; }
.tag.quiet { color: var(--soft); }
.whole { white-space: nowrap; }
.details { min-width: 17rem; }
.slip { min-width: 14.5rem; }
.who { min-width: 5.5rem; }
.details p { margin: .25rem 0 0; font-size: .875rem; }
.pairs { display: grid; grid-template-columns: auto auto auto; gap: 0 .875rem; margin-top: .375rem; width: fit-content; font-size: .875rem; }
.pairs > * { overflow-wrap: anywhere; }
figure { margin: 0; }
figure + figure { margin-top: 2rem; }
figcaption { margin-bottom: .5rem; }
.plot svg { display: block; width: 100%; height: auto; }
.on-narrow { display: none; }
.plot text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.plot .name, .plot .figure { fill: var(--ink); }
.plot .this { fill: var(--ink); font-weight: 650; }
.plot .grid { stroke: var(--grid); stroke-width: 1; }
.plot .zero { stroke: var(--soft); stroke-width: 1; }
.plot .band { fill: var(--mark); }
.plot .won { fill: var(--won); }
.plot .lost { fill: var(--lost); }
.plot .hit { fill: transparent; }
.plot .stated { fill: var(--sheet); stroke: var(--differences); stroke-width: 2; }
.plot .differs { fill: var(--differences); font-weight: 650; }
.plot g:hover > .won, .plot g:hover > .lost { opacity: .72; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; color: var(--soft); font-size: .875rem; }
.key li { display: flex; align-items: center; gap: .4375rem; margin: 0; }
.key svg { width: 12px; height: 12px; flex: none; }
.key .won { fill: var(--won); } .key .lost { fill: var(--lost); } .key .band { fill: var(--mark); stroke: var(--line); }
.key .stated { fill: var(--sheet); stroke: var(--differences); stroke-width: 2; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--soft); font-size: .875rem; width: fit-content; }
details > .wide { margin-top: .75rem; }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .375rem 1.25rem; margin: 0; font-size: .9375rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
a { color: var(--won); }
.sign { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1.5rem; margin-top: 1rem; }
.sign div { border-top: 1px solid var(--ink); padding-top: .375rem; margin-top: 3.5rem; font-size: .875rem; }
.sign span { display: block; color: var(--soft); }
@media (max-width: 40rem) {
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.625rem; }
  .sheet { padding: 1.125rem 1rem; }
  .wide { margin: 0 -1rem; padding: 0 1rem; }
  table { font-size: .8125rem; }
  th, td { padding-right: .625rem; }
  thead th { font-size: .75rem; }
  .stack thead { display: none; }
  .stack { font-size: .9375rem; }
  .stack tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .stack tbody tr:last-child { border-bottom: 0; }
  .stack td { display: block; padding: .125rem 0; border: 0; min-width: 0; }
  .verdict { flex-direction: column; gap: .5rem; }
  .on-wide { display: none; }
  .on-narrow { display: block; }
  .plot text { font-size: 11px; }
  .tile b { font-size: 1.25rem; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .625rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --sheet: #fff; --sunk: #fff; --ink: #000; --soft: #444; --line: #bbb; --grid: #ddd;
    --won: #1b6a86; --lost: #b0502a; --mark: #f3e3b6;
    --balanced: #14573a; --balanced-tint: #fff; --differences: #8e1b15; --differences-tint: #fff;
    --cannot-conclude: #6a4a00; --cannot-conclude-tint: #fff;
  }
  body { font-size: 10.5pt; }
  main, header, footer { max-width: none; padding-left: 0; padding-right: 0; }
  main { display: contents; }
  header { padding-top: 0; }
  footer { padding-bottom: 0; break-inside: avoid; break-before: avoid; }
  .sheet, .tile { border-radius: 0; }
  .tile b { font-size: 12.5pt; }
  .sheet { padding: 4mm; margin: 4mm 0; }
  .wide { overflow: visible; margin: 0; padding: 0; }
  .details { min-width: 0; }
  table { font-size: 8.5pt; }
  th, td { padding-right: .5rem; }
  thead th, .id, tbody th .soft { font-size: 7.5pt; }
  .on-wide { display: block; }
  .on-narrow { display: none; }
  .plot svg, .key svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  tr, figcaption, .plot, .tile, li, .sign { break-inside: avoid; }
  h2, h3, thead, h2 + p, figcaption, summary { break-after: avoid; }
  thead { display: table-header-group; }
  .signatures { break-inside: avoid; break-before: avoid; }
  .sign { grid-template-columns: repeat(3, 1fr); gap: 8mm; }
  details::details-content { content-visibility: visible; }
  summary { list-style: none; }
}
`

/** Style of the sheets of paper: running head, report ID and page numbers. Texts are cut to characters that need no escaping. */
export function pageStyle(head: string, reportId: string): string {
  const text = (value: string) => value.replace(/[^\p{L}\p{N} .,:·_-]/gu, '').slice(0, 120)
  const box = 'font: 8pt sans-serif; color: #444;'
  return `
@page {
  margin: 18mm 14mm;
  @top-left { content: "${text(head)}"; ${box} }
  @bottom-left { content: "Report ${text(reportId)}"; ${box} }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); ${box} }
}
`
}
