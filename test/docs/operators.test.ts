import { testGuide } from '../support/program/guide.ts'

testGuide('docs/operators.md', {
  serve: ['--seed', '7', '--clock', '2026-03-05T12:00:00Z'],
  before: ['countroom sim play --rounds 60 --players 4 --days 3'],
})
