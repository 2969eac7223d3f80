import type { Macro } from '../../../../src/domain/tickets/macro.ts'
import { macrosFrom } from '../../../../src/operator/tickets/text/macro-file.ts'

/** Returns the macro of a line of a macro file. */
export async function parseMacro(line: string): Promise<Macro> {
  const { macros } = await macrosFrom(`macros:\n  ${line}\n`, 'macros.yaml')
  const [macro] = macros
  if (!macro) throw new Error(`no macro in ${line}`)
  return macro
}
