import { mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { inject } from 'vitest'
import { isPackage } from '../../../scripts/bundle.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The files that ship with the program are found relative to this module, which therefore is not bundled. */
const modulePath = { id: join(root, 'src/kit/module-path.ts'), external: 'absolute' } as const

/**
 * Bundles a script that tests start as a process many times, and returns the bundle's path. To find, read and compile its modules
 * one by one takes more CPU time than the rest of a short process.
 */
export async function bundled(script: URL): Promise<string> {
  const folder = mkdtempSync(join(inject('runFolder'), '.bundled-'))
  // Packages are found next to the bundle.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const build = await rolldown({
    cwd: root,
    input: fileURLToPath(script),
    platform: 'node',
    external: isPackage,
    plugins: [{ name: 'module-path', resolveId: (id) => (id.endsWith('/kit/module-path.ts') ? modulePath : null) }],
    checks: { ineffectiveDynamicImport: false },
  })
  await build.write({ dir: folder, format: 'esm', entryFileNames: 'script.mjs', chunkFileNames: '[name]-[hash].mjs' })
  await build.close()
  return join(folder, 'script.mjs')
}
