import { testGuide } from '../support/guide.ts'

testGuide('docs/money.md', { before: ['countroom profiles add house --environment live --from ready.json'] })
