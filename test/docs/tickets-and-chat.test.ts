import { testGuide } from '../support/guide.ts'

testGuide('docs/tickets-and-chat.md', { before: ['countroom profiles add house --environment live --from ready.json'] })
