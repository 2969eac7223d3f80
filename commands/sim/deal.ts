import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { readJsonInput } from '../../src/cli/terminal/read-input.ts'
import { tenantCode } from '../../src/cli/topics/console/tenant-code.ts'
import { withEnableHint } from '../../src/cli/topics/sim/not-enabled.ts'
import { exactRoundFrom } from '../../src/world/exact-round.ts'

export default class SimDeal extends CountroomCommand {
  static override summary = 'Play one exact round from a JSON file'
  static override description =
    'For developers, and for checks of settlement. The file has the table, the cards (or the code of a source without cards), the slips, and the corrections or void that follow. Each bet record is exactly as GET /bets returns it. The round is played as a whole or not at all.'
  static override examples = [
    'countroom sim deal round.json',
    {
      command: `echo '{"tableId":"BAC-01","variant":"nocomm","cardInfo":"QD3D4C3SAH--","slips":[{"username":"amy","bets":{"B":"100","S6":"10"}}]}' | countroom sim deal -`,
      description: 'Deal a round that the banker wins with six',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override completes = { file: 'files' }
  static override args = {
    file: Args.string({ required: true, description: 'JSON file of the round, or - for stdin' }),
  }
  static override flags = {
    ...dryRunFlag,
    tenant: Flags.string({ summary: 'Tenant whose players bet', helpValue: 'CODE' }),
  }
  static override data = ({ Type, casino }: Shapes) => {
    const revision = Type.Object({
      round: casino.Round,
      bets: Type.Array(casino.BetRecord),
      disputed: Type.Optional(Type.String()),
    })
    return Type.Object({ roundId: Type.String(), revisions: Type.Array(revision) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimDeal)
    const exact = exactRoundFrom(await readJsonInput(args.file))
    const { casino } = await this.services.world()
    const { dealExactly } = await import('../../src/services/casino/simulator/index.ts')
    const tenant = await tenantCode(this, flags.tenant)
    const played = await withEnableHint(this, tenant, () => dealExactly(casino, tenant, exact))
    this.fields({ round: played.roundId })
    for (const { round, bets, disputed } of played.revisions) {
      this.log(
        `\nRevision ${round.rev}: ${round.status}${disputed ? `, because ${disputed}` : ''} ${round.code ?? ''} ${round.cardInfo ?? ''}`,
      )
      this.table(bets, [
        'username',
        'status',
        ...['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta'].map((key) => ({
          key,
          kind: 'amount' as const,
        })),
      ])
    }
    return played
  }
}
