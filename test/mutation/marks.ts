import { functionsOf } from './mutants.ts'

/** Returns a source in which each function notes that it was reached, by its number in `functionsOf` from 1 on. */
export function withMarks(source: string): string {
  const insertions = functionsOf(source).flatMap(({ body }, index) => {
    const mark = `globalThis.reachedFunctions?.add(${index + 1})`
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody')
      return [{ at: body.start + 1, text: `${mark};` }]
    return [
      { at: body.start, text: `(${mark}, ` },
      { at: body.end, text: ')' },
    ]
  })
  // Processed from the end, so that earlier positions stay valid; at the same position the inner function's mark goes
  // in first.
  return insertions
    .map((each, index) => ({ ...each, index }))
    .sort((a, b) => b.at - a.at || b.index - a.index)
    .reduce((text, each) => text.slice(0, each.at) + each.text + text.slice(each.at), source)
}
