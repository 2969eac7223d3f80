import { testGuide } from '../support/guide.ts'

testGuide('docs/developers.md', { captures: { '4F9D0C2B': /([0-9A-Z]{8})$/m } })
