// The widget's scripts as they are shipped: each in one file, without types and minified. Every page of a merchant loads the first.
import { rolldown } from 'rolldown'

/**
 * Members of the widget's own classes that are renamed to something short. None of them may be the name of anything in a
 * browser or in the chat's API, or be shared by two scripts, which are bundled apart.
 */
const renamed =
  /^(onMove|onView|onSent|onRetry|onEarlier|onDrawn|onPicture|onNews|onRefused|onTokenRefused|onForgotten|isProven|isLoaded|hasProof|dropToken|addPage|seenAfter|loadHistory|showTyping|showOffline|showOpen|nameOf|onFiles|onOptions|onSubmit|toEnd)$/

/** Returns a script's text for browsers, bundled from its TypeScript modules. */
export async function widgetScript(file) {
  const bundle = await rolldown({ input: file, platform: 'browser', transform: { target: 'es2022' } })
  const { output } = await bundle.generate({
    // The page loads the first script as a classic one, and that imports the second as a module.
    format: /loader\.ts$/.test(file) ? 'iife' : 'esm',
    minify: { compress: true, mangle: { toplevel: true }, mangleProps: { include: renamed }, codegen: true },
    comments: false,
  })
  await bundle.close()
  return output[0].code
}
