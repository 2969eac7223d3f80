import { testGuide } from '../support/program/guide.ts'

testGuide('README.md', {
  // The other commands of this document use the first world; this one is a second, on a free port.
  values: async () => ({ 'countroom serve --ready-file ready.json': 'countroom serve --db second.db --port 0' }),
  // The profile of the operators' commands needs bets of yesterday to reconcile.
  before: ['countroom sim play --rounds 30 --players 4 --days 2'],
})
