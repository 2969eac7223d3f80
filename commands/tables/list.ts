import { langFlag } from '../../src/cli/arguments/language.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { rememberNames } from '../../src/cli/framework/completion.ts'
import { Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { glyphsFor } from '../../src/cli/terminal/glyphs.ts'
import { gameNames } from '../../src/domain/games/game.ts'
import type { Table } from '../../src/services/casino/api/schemas/index.ts'

export default class TablesList extends CountroomCommand {
  static override summary = 'List the tables, and which of them players can see'
  static override description =
    "The platform's own tables, yours, and those that other merchants share with you. Players see the enabled ones only."
  static override examples = [
    'countroom tables list',
    { command: 'countroom tables list --game baccarat --lang CHT', description: 'One game, names in Chinese' },
    { command: 'countroom tables list --enabled --csv --columns tableId,game', description: 'For a script' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    game: Flags.string({ summary: 'Only tables of this game', options: [...gameNames] }),
    enabled: Flags.boolean({ summary: 'Only tables that players can see', exclusive: ['disabled'] }),
    disabled: Flags.boolean({ summary: 'Only tables that players cannot see' }),
    lang: langFlag({ summary: 'The language of the names', default: 'ENG' }),
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { Table: schema } = await import('../../src/services/casino/api/schemas/index.ts')
    return Type.Object({ tables: Type.Array(schema) })
  }

  override async run() {
    const { flags } = await this.parse(TablesList)
    const { casino } = await this.clients()
    const { tables: all } = await casino.tables({})
    rememberNames(
      this.settings.paths,
      'tables',
      all.map((table) => table.tableId),
    )
    const isWanted = (table: Table) =>
      (flags.game === undefined || table.game === flags.game) &&
      (!flags.enabled || table.enabled) &&
      (!flags.disabled || !table.enabled)
    const tables = all.filter(isWanted)
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
          title: 'on',
          show: (enabled) => (enabled ? pass : skip),
          tint: (enabled) => (enabled ? 'green' : 'dim'),
        },
        { key: 'tableId', title: 'table' },
        'name',
        'game',
        { key: 'variants', show: (variants) => (variants as string[]).join(', ') },
        { key: 'status', tint: (status) => (status === 'open' ? undefined : 'yellow') },
        { key: 'betSeconds', title: 'bet s', kind: 'count' },
        { key: 'provider', title: 'from' },
      ],
      'No tables.',
    )
    this.footnote(`${all.filter((table) => table.enabled).length} of ${all.length} tables are enabled.`)
    return { tables }
  }
}

/** The name in a language, else in the platform's own, else any there is. */
function nameIn({ name, tableId }: Table, lang: string): string {
  return name[lang] ?? name['ENG'] ?? name['CHT'] ?? Object.values(name)[0] ?? tableId
}
