/** Sections of the top-level help: topics and top-level commands by job. A test checks that each is in exactly one. */
export const helpGroups: readonly { readonly title: string; readonly words: readonly string[] }[] = [
  {
    title: 'DAILY WORK',
    words: [
      'launch',
      'players',
      'tables',
      'rounds',
      'bets',
      'summary',
      'reconcile',
      'book',
      'audit',
      'approvers',
      'schedule',
    ],
  },
  { title: 'MONEY', words: ['wallet', 'account', 'statements'] },
  {
    title: 'CRYPTO',
    words: ['payments', 'invoices', 'payouts', 'coins', 'conversions', 'subaccounts', 'subscriptions', 'ipn'],
  },
  { title: 'SUPPORT', words: ['tickets', 'rooms', 'forms', 'media'] },
  { title: 'PLATFORM', words: ['console', 'webhooks'] },
  { title: 'SETUP', words: ['profiles', 'config', 'doctor', 'completion', 'schema'] },
  { title: 'LOCAL WORLD', words: ['demo', 'serve', 'sim'] },
]

const grouped = new Set(helpGroups.flatMap(({ words }) => words))

/** Returns the sections with the given words only. Words without a group come last, under OTHER. */
export function inGroups(words: readonly string[]): { title: string; words: string[] }[] {
  const other = words.filter((word) => !grouped.has(word))
  return [...helpGroups, { title: 'OTHER', words: other }]
    .map((group) => ({ title: group.title, words: group.words.filter((word) => words.includes(word)) }))
    .filter((group) => group.words.length > 0)
}
