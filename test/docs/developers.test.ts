import { testGuide } from '../support/guide.ts'

testGuide('docs/developers.md', { captures: { '4F9D0C2B': /\/api\/tenant\/v1\/[\s\S]*?\s([0-9A-Z]{8})$/m } })
