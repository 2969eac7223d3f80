import { type Language, languages } from '../../domain/players/player.ts'
import { Problem } from '../../kit/problem.ts'
import { Flags } from '../framework/flags.ts'

/** A language of the platform, in any case; a command with this flag completes it as `languages`. */
export const langFlag = Flags.custom<Language>({
  helpValue: 'LANG',
  parse: async (input) => {
    const found = languages.find((language) => language === input.toUpperCase())
    if (found === undefined)
      throw new Problem('INVALID_USAGE', `There is no language "${input}": ${languages.join(', ')}`)
    return found
  },
})
