import { testGuide } from '../support/program/guide.ts'

testGuide('docs/team.md')
