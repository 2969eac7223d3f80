// The script of the web desk as it is shipped: one file without types, minified, with all it imports.
import { rolldown } from 'rolldown'

/** Returns the script's text for browsers, bundled from its TypeScript modules. */
export async function deskScript(file) {
  const bundle = await rolldown({
    input: file,
    platform: 'browser',
    transform: { target: 'es2024', jsx: { runtime: 'automatic', importSource: 'preact' } },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  await bundle.close()
  return output[0].code
}
