import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { glyphsFor } from '../../src/cli/terminal/glyphs.ts'

export default class CoinsList extends CountroomCommand {
  static override summary = 'List the coins of the gateway'
  static override examples = [
    'countroom coins list',
    {
      command: 'countroom coins list --accepted --csv --columns code,network',
      description: 'List the codes for a script',
    },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    accepted: Flags.boolean({ aliases: ['taken'], summary: 'Only coins that the account accepts' }),
    network: Flags.string({ summary: 'Coins of this network only', helpValue: 'NETWORK' }),
    ...listFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({
      coins: Type.Array(Type.Object({ ...gateway.CurrencyDetail.properties, taken: Type.Boolean() })),
    })

  override async run() {
    const { flags } = await this.parse(CoinsList)
    const { gateway } = await this.services.gateway()
    const [{ currencies }, { currencies: own }] = await Promise.all([
      gateway.fullCurrencies({}),
      gateway.merchantCoins({ query: {} }),
    ])
    const coins = currencies
      .map((coin) => ({ ...coin, taken: own.includes(coin.code) }))
      .filter(
        (coin) => (!flags.accepted || coin.taken) && (flags.network ?? coin.network).toLowerCase() === coin.network,
      )
    const { pass, skip } = glyphsFor(process.stdout, this.settings.env)
    this.table(
      coins,
      [
        {
          key: 'taken',
          title: 'enabled',
          show: (accepted) => (accepted ? pass : skip),
          tint: (accepted) => (accepted ? 'green' : 'dim'),
        },
        { key: 'code', whole: true },
        'name',
        'network',
        { key: 'network_precision', title: 'decimals', kind: 'count' },
        { key: 'smart_contract', title: 'contract' },
      ],
      'No coins match.',
    )
    return { coins }
  }
}
