import { openSession } from './session.ts'
import { testsOf, staleAfter } from './concerned.ts'
import { mutantsOf } from './mutants.ts'
import { readFileSync } from 'node:fs'
const [src='', ...given] = process.argv.slice(2)
const tests = given.length ? given : testsOf(src)
let t=performance.now()
const s = await openSession(src, tests, staleAfter(src, tests))
console.log(tests, s.broken, [...s.reached].length, performance.now()-t)
t=performance.now()
for (const m of mutantsOf(readFileSync(src,'utf8'))) { const b=performance.now(); const n=s.reached.has(m.owner)&&await s.isNoticed(m); console.log(n, m.line, m.owner, m.replacement, Math.round(performance.now()-b)) }
console.log(performance.now()-t, await s.isStillGreen())
await s.close()
process.exit()
