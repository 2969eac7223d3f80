/**
 * Links `bin/run.js` as `node_modules/.bin/countroom`, so that `npx countroom` in a clone starts it at once. Without the link,
 * npx installs the clone into its cache first, which takes seconds and warns on Node 20. `npm ci` and `npm install` run it.
 */
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const bin = join(import.meta.dirname, '..', 'node_modules', '.bin')
const link = join(bin, 'countroom')
if (existsSync(bin)) {
  rmSync(link, { force: true })
  try {
    symlinkSync(join('..', '..', 'bin', 'run.js'), link)
  } catch (error) {
    // Some file systems have no links. npx then takes the longer way.
    process.stderr.write(`${link} was not linked: ${error.message}\n`)
  }
}
