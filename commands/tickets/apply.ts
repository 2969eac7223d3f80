import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags } from '../../src/cli/framework/flags.ts'
import { textFlags } from '../../src/cli/topics/chat/text-flags.ts'
import { bookExits, bookFiles, bookRunFlags, bulkResult } from '../../src/cli/topics/tickets/bulk/flags.ts'

export default class TicketsApply extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Apply a saved bulk action to tickets, or resume it'
  static override description =
    'Takes a file of "countroom tickets bulk --out" or the ID of a bulk action. Each change is made once, however often you run this: the book records it. Tickets that changed since the bulk action was created are skipped and listed.'
  static override examples = [
    'countroom tickets apply plan.json',
    { command: 'countroom tickets apply plan.json --dry-run', description: 'Show it without changing anything' },
  ]
  static override exits = bookExits
  static override writes = true
  static override files = bookFiles
  static override completes = { plan: 'files', macros: 'files', book: 'files' }
  static override args = {
    plan: Args.string({ required: true, description: 'JSON file, - for stdin, or the planId of a bulk action' }),
  }
  static override flags = {
    macros: textFlags.macros,
    'allow-guard': textFlags['allow-guard'],
    ...bookRunFlags,
    ...dangerFlags,
  }
  static override data = bulkResult

  override async run() {
    const { args, flags } = await this.parse(TicketsApply)
    const { applySaved } = await import('../../src/cli/topics/tickets/bulk/apply-saved.ts')
    return applySaved(this, args.plan, flags)
  }
}
