// The script of the player's page as it is shipped: one file without types, minified. The texts of a language are files of their own.
import { rolldown } from 'rolldown'

/** Returns the script's text for browsers, bundled from its TypeScript modules. Its path within the page decides where its texts are. */
export async function playerPageScript(file) {
  const bundle = await rolldown({ input: file, platform: 'browser', transform: { target: 'es2022' } })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  await bundle.close()
  return output[0].code
}
