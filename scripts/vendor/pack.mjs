// Libraries of hundreds of small modules that every command waits for, each as one file in dist/vendor. Loading them file by
// file takes a third of the time of a command that asks the world on its own machine. Types stay the packages' own.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

// The CommonJS ones have one export as they are: what of them is used is named in a file of ours.
const named = (path) => join(import.meta.dirname, path)
const framework = ['args', 'command', 'config', 'flags', 'settings']
const libraries = {
  typebox: 'typebox',
  kysely: 'kysely',
  ajv: named('ajv.js'),
  ...Object.fromEntries(framework.map((part) => [`@oclif/core/${part}`, named(`oclif/${part}.js`)])),
}

/** Makes the files. Comments that carry a licence stay. */
export async function packLibraries(root) {
  const bundle = await rolldown({
    cwd: root,
    input: libraries,
    platform: 'node',
    // All that a library exports may be asked for by name.
    preserveEntrySignatures: 'strict',
  })
  const dir = join(root, 'dist/vendor')
  rmSync(dir, { recursive: true, force: true })
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
}

/** Lets compiled modules import the packed files in place of the packages. Done twice it changes nothing more. */
export function useLibraries(root, files) {
  const imported = new RegExp(`(\\bfrom |\\bimport\\()(['"])(${Object.keys(libraries).join('|')})\\2`, 'g')
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const pathTo = (name) => relative(dirname(file), join(root, 'dist/vendor', `${name}.js`)).replaceAll('\\', '/')
    const changed = text.replace(imported, (_, before, quote, name) => `${before}${quote}${pathTo(name)}${quote}`)
    if (changed !== text) writeFileSync(file, changed)
  }
}
