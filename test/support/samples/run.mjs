// Runs samples one after another in this process, each as a module of its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , list, folder] = process.argv
const ended = new Error('the sample has ended')
process.exit = () => {
  throw ended
}
for (const [i, { id, env, text }] of JSON.parse(readFileSync(list, 'utf8')).entries()) {
  Object.assign(process.env, env)
  const lines = []
  // What a sample prints is recorded.
  globalThis.console.log = (value) => lines.push(JSON.stringify(value ?? null))
  let error = null
  const file = join(folder, `sample-${i}.mts`)
  writeFileSync(file, text)
  try {
    await import(file)
  } catch (thrown) {
    if (thrown !== ended) error = String(thrown?.stack ?? thrown)
  }
  process.stdout.write(`${JSON.stringify({ id, error, output: lines.join('\n') })}\n`)
}
