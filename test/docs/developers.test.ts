import { testGuide } from '../support/guide.ts'

testGuide('docs/developers.md')
