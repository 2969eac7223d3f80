import { testGuide } from '../support/program/guide.ts'

testGuide('docs/money.md', { before: ['countroom profiles add house --environment live --from ready.json'] })
