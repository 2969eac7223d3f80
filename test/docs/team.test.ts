import { testGuide } from '../support/guide.ts'

testGuide('docs/team.md')
