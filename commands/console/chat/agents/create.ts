import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleChatAgentsCreate extends CountroomCommand {
  static override summary = 'Create an agent of a merchant, with a token for the agent API'
  static override examples = ['countroom console chat agents create DEMO "Night shift"']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    ...chatTenantArg,
    name: Args.string({ required: true, description: 'Name that customers see' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ agentId: Type.String(), agentToken: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleChatAgentsCreate)
    const { chat } = await this.services.world()
    const { createAgent } = await import('../../../../src/services/chat/admin.ts')
    const { agentId, agentToken } = await createAgent(chat, args.code.toUpperCase(), args.name)
    const agent = { agentId, agentToken: shownOnce(this, agentToken) }
    this.fields(agent)
    return agent
  }
}
