// The documentation site: `npm run docs` builds it from the same Markdown files that are read in the repository.
// It makes no request to other hosts: fonts are part of the theme, and the search index is a file of the site.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const reference = readdirSync(join(root, 'docs/reference'))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => name !== 'index')
const prose = { 'exit-codes': 'Exit codes', environment: 'Environment variables', files: 'Files' }
const proseNames = [...Object.keys(prose), 'about-profiles']
const page = (text, link) => ({ text, link })
const isProse = (name) => proseNames.includes(name)

const guides = [
  page('Operators', '/docs/operators'),
  page('Month-end', '/docs/month-end'),
  page('Cron and batch', '/docs/cron'),
  page('Money', '/docs/money'),
  page('Payments', '/docs/payments'),
  page('Tickets and chat', '/docs/tickets-and-chat'),
  page('Developers', '/docs/developers'),
  page('PostgreSQL', '/docs/postgresql'),
  page('Scaling', '/docs/scaling'),
  page('Browsers', '/docs/browsers'),
  page('Team', '/docs/team'),
]

export default {
  title: 'countroom',
  description: 'Back office of an online casino operator, and a local world to build against',
  srcDir: '..',
  srcExclude: ['{bin,commands,dist,fixtures,out,scripts,src,test}/**', 'docs/.vitepress/**'],
  // The README is the first page, so that there is one text for both.
  rewrites: { 'README.md': 'index.md' },
  outDir: join(import.meta.dirname, 'dist'),
  cacheDir: join(import.meta.dirname, 'cache'),
  cleanUrls: false,
  lastUpdated: false,
  // Opened from a file or served below any path.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    config(md) {
      drawStates(md)
      showBraces(md)
    },
  },
  // The program's own settings of its compiler are not for this site.
  vite: { esbuild: { tsconfigRaw: {} } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [page('Guides', '/docs/operators'), page('Commands', '/docs/reference/'), page('Changelog', '/CHANGELOG')],
    sidebar: [
      { text: 'Guides', items: [page('Overview', '/'), ...guides] },
      {
        text: 'Details',
        items: [
          page('Payment gateway', '/docs/gateway'),
          page('Chat widget', '/docs/chat'),
          page('API decisions', '/docs/decisions'),
        ],
      },
      {
        text: 'Commands',
        collapsed: true,
        items: [
          page('All topics', '/docs/reference/'),
          ...proseNames.map((name) => page(prose[name] ?? 'About profiles', `/docs/reference/${name}`)),
          page('General commands', '/docs/reference/general'),
          ...reference
            .filter((name) => !isProse(name) && name !== 'general')
            .map((name) => page(name, `/docs/reference/${name}`)),
        ],
      },
      {
        text: 'Project',
        collapsed: true,
        items: [
          page('Architecture', '/ARCHITECTURE'),
          page('Contributing', '/CONTRIBUTING'),
          page('Security', '/SECURITY'),
          page('Changelog', '/CHANGELOG'),
          page('Benchmarks', '/docs/benchmarks'),
          page('Mutation testing', '/docs/mutation'),
        ],
      },
    ],
    outline: { level: [2, 3] },
  },
}

/** Shows Mermaid drawings as tables and lines: the renderer of drawings would be three times the size of the site. */
function drawStates(md) {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at]
    if (info.trim() !== 'mermaid') return fence(tokens, at, ...rest)
    const transitions = [...content.matchAll(/^ *(\S+) --> (\S+?)(?:: (.*))?$/gm)]
    if (!content.startsWith('stateDiagram')) return `<p><code>${md.utils.escapeHtml(lineOf(content))}</code></p>`
    const name = (state) => (state === '[*]' ? '' : `<code>${md.utils.escapeHtml(state)}</code>`)
    const rows = transitions.map(([, from, to, by = '']) => [from, name(to), md.utils.escapeHtml(by)])
    const states = [...new Set(rows.map(([from]) => from))]
    const toText = ([, to, by]) => [to || '(end)', by && `(${by})`].filter(Boolean).join(' ')
    const body = states.map((state) => {
      const next = rows.filter(([from]) => from === state).map(toText)
      return `<tr><td>${name(state) || '(start)'}</td><td>${next.join(', ')}</td></tr>`
    })
    return `<table><thead><tr><th>from</th><th>to</th></tr></thead><tbody>${body.join('')}</tbody></table>`
  }
}

const lineOf = (content) => content.split('\n').slice(1).join(' ').replaceAll('-->', '→').trim()

/** Shows double braces as they are written: Vue would take what is between them for a value. */
function showBraces(md) {
  for (const rule of ['text', 'code_inline']) {
    const render = md.renderer.rules[rule]
    md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
  }
}
