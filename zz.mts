import { readFileSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const cpu = () => {
  const u = process.cpuUsage()
  return (u.user + u.system) / 1000
}
let a = cpu()
const db = await PGlite.create()
console.log('create', cpu() - a)
a = cpu()
const dump = await db.dumpDataDir('none')
console.log('dump', cpu() - a, dump.size)
a = cpu()
const two = await PGlite.create()
console.log('create again', cpu() - a)
a = cpu()
const three = await PGlite.create({ loadDataDir: dump })
console.log('load', cpu() - a)
a = cpu()
console.log((await three.query('select 1 as x')).rows, cpu() - a)
