import { type Language, languages } from '../../domain/players/player.ts'
import { Problem } from '../../kit/problem.ts'
import { Flags } from '../framework/flags.ts'

/** A language flag, in any letter case. A command with this flag completes it as `languages`. */
export const langFlag = Flags.custom<Language>({
  helpValue: 'LANG',
  parse: async (input) => {
    const match = languages.find((language) => language === input.toUpperCase())
    if (match === undefined)
      throw new Problem('INVALID_USAGE', `Unknown language "${input}"; valid languages: ${languages.join(', ')}`)
    return match
  },
})
