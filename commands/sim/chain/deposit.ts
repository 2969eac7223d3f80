import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainDeposit extends ChainCommand {
  static override summary = "Pay to a payment's address, as its customer would"
  static override description =
    'All that is due unless --amount says otherwise, so paying in part, too much, twice, or after the end is done with the same command. Seen at once; it counts when it is deep enough, which --confirm brings about. A deposit of another token, or from a sanctioned address, is never credited.'
  static override examples = [
    'countroom sim chain deposit 5745459419 --confirm',
    {
      command: 'countroom sim chain deposit 5745459419 --amount 10',
      description: 'In part, waiting for its confirmations',
    },
    {
      command: 'countroom sim chain deposit 5745459419 --contract usdc',
      description: 'The wrong token, to the right address',
    },
    {
      command: 'countroom sim chain deposit 5745459419 --sanctioned --confirm',
      description: 'From a sanctioned address',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { payment: Args.string({ required: true, description: 'The payment_id' }) }
  static override flags = {
    ...dryRunFlag,
    amount: Flags.string({ summary: "How much, in the payment's coin", helpValue: 'A' }),
    confirm: Flags.boolean({ summary: 'Bury it deep enough to count, at once' }),
    sender: Flags.string({ summary: 'The address it comes from', helpValue: 'ADDRESS' }),
    sanctioned: Flags.boolean({ summary: 'Put the address it comes from on the sanctions list first' }),
    contract: Flags.string({
      summary: "Another token on the same network: a coin's code, a contract, or native",
      helpValue: 'TOKEN',
    }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ txId: Type.String(), hash: Type.String(), ...(await chainSchema()) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimChainDeposit)
    const id = this.paymentId(args.payment)
    const { gateway } = await this.world()
    const [{ depositTo, sanction }, { confirmTx, contractNamed }] = await Promise.all([
      import('../../../src/services/gateway/admin/platform.ts'),
      import('../../../src/services/gateway/simulator/chain-control.ts'),
    ])
    const other = flags.contract === undefined ? {} : { contract: await contractNamed(gateway, id, flags.contract) }
    const row = await depositTo(gateway, id, {
      ...(flags.amount === undefined ? {} : { amount: flags.amount }),
      ...(flags.sender === undefined ? {} : { sender: flags.sender }),
      ...other,
    })
    if (flags.sanctioned) await sanction(gateway, row.sender)
    if (flags.confirm) await confirmTx(gateway, row.id)
    return { txId: row.id, hash: row.hash, ...(await this.after(id)) }
  }
}
