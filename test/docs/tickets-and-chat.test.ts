import { testGuide } from '../support/program/guide.ts'

testGuide('docs/tickets-and-chat.md', { before: ['countroom profiles add house --environment live --from ready.json'] })
