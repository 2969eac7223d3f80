import { langFlag } from '../../src/cli/arguments/language.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { rememberNames } from '../../src/cli/framework/completion.ts'
import { Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { glyphsFor } from '../../src/cli/terminal/glyphs.ts'
import { gameNames } from '../../src/domain/games/game.ts'
import type { Table } from '../../src/services/casino/api/schemas/index.ts'

export default class TablesList extends CountroomCommand {
  static override summary = 'List tables and whether players can see them'
  static override description =
    'Shows the tables of the platform, your own, and those that other merchants share with you. Players see enabled tables only.'
  static override examples = [
    'countroom tables list',
    { command: 'countroom tables list --game baccarat --lang CHT', description: 'List one game with Chinese names' },
    { command: 'countroom tables list --enabled --csv --columns tableId,game', description: 'Export for a script' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    game: Flags.string({ summary: 'Tables of this game only', options: [...gameNames] }),
    enabled: Flags.boolean({ summary: 'Enabled tables only', exclusive: ['disabled'] }),
    disabled: Flags.boolean({ summary: 'Disabled tables only' }),
    lang: langFlag({ summary: 'Language of the names', default: 'ENG' }),
    ...listFlags,
  }
  static override data = ({ Type, casino }: Shapes) => Type.Object({ tables: Type.Array(casino.Table) })

  override async run() {
    const { flags } = await this.parse(TablesList)
    const { casino } = await this.services.casino()
    const { tables: all } = await casino.tables({})
    rememberNames(
      this.settings.paths,
      'tables',
      all.map((table) => table.tableId),
    )
    const matchesFilter = (table: Table) =>
      (flags.game === undefined || table.game === flags.game) &&
      (!flags.enabled || table.enabled) &&
      (!flags.disabled || !table.enabled)
    const tables = all.filter(matchesFilter)
    const rows = tables.map((table) => ({
      ...table,
      name: nameIn(table, flags.lang),
      provider: table.provider?.name ?? null,
    }))
    const { pass, skip } = glyphsFor(process.stdout, this.settings.env)
    this.table(
      rows,
      [
        {
          key: 'enabled',
          title: 'enabled',
          show: (enabled) => (enabled ? pass : skip),
          tint: (enabled) => (enabled ? 'green' : 'dim'),
        },
        { key: 'tableId', title: 'table' },
        'name',
        'game',
        { key: 'variants', show: (variants) => (variants as string[]).join(', ') },
        { key: 'status', tint: (status) => (status === 'open' ? undefined : 'yellow') },
        { key: 'betSeconds', title: 'bet (s)', kind: 'count' },
        { key: 'provider', title: 'from' },
      ],
      'No tables match.',
    )
    this.footnote(`${all.filter((table) => table.enabled).length} of ${all.length} tables are enabled.`)
    return { tables }
  }
}

/** Returns the name in a language, else the English one, else any. */
function nameIn({ name, tableId }: Table, lang: string): string {
  return name[lang] ?? name['ENG'] ?? name['CHT'] ?? Object.values(name)[0] ?? tableId
}
