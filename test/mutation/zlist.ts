import { testsOf, staleAfter } from './concerned.ts'
for (const f of process.argv.slice(2)) { const t=testsOf(f); console.log(f, t) }
