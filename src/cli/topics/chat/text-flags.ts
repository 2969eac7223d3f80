import { guardRules } from '../../../domain/tickets/outgoing/guard.ts'
import { Flags } from '../../framework/flags.ts'

/** Flags of commands that send a text to customers. */

export const textFlags = {
  public: Flags.boolean({ summary: 'Show it to the customer too (default: internal)' }),
  macros: Flags.string({
    summary: 'File with macros and internal words (default: macros.yaml in the settings folder)',
    helpValue: 'FILE',
  }),
  'allow-guard': Flags.string({
    summary: 'Check to skip for a public text (repeatable)',
    helpValue: 'CHECK',
    options: [...guardRules],
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** Description of the file for the help. */
export const macrosHelp =
  'macros.yaml in the settings folder (or .yml, .json): macros and internal words. Format: countroom help tickets macros'
