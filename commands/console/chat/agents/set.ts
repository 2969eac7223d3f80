import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { readBytes } from '../../../../src/cli/terminal/read-input.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatAgentsSet extends CountroomCommand {
  static override summary = 'Set the display name and picture of an agent'
  static override description =
    'The picture is a PNG, JPEG or WebP file of at most 100 KiB, shown as a circle of 32 pixels. Without one, the widget shows the first letter of the name. To list agent IDs: countroom console chat keys list DEMO.'
  static override examples = [
    'countroom console chat agents set DEMO agt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --face amy.jpg',
    {
      command: 'countroom console chat agents set DEMO agt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --face ""',
      description: 'Remove the picture',
    },
  ]
  static override exits = ['not-found'] as const
  static override completes = { face: 'files' }
  static override writes = true
  static override args = {
    ...chatTenantArg,
    agent: Args.string({ required: true, description: 'Agent ID' }),
  }
  static override flags = {
    name: Flags.string({ summary: 'Name that customers see', helpValue: 'NAME' }),
    face: Flags.string({ summary: 'Picture file, or - for stdin; "" for none', helpValue: 'FILE|-' }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) => Type.Object({ agentId: Type.String(), displayName: Type.String() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatAgentsSet)
    const { name, face } = flags
    if (name === undefined && face === undefined)
      throw new Problem('INVALID_USAGE', 'Nothing to set: pass --name or --face')
    const picture = face === undefined ? undefined : face === '' ? null : await readBytes(face)
    const { chat } = await this.services.world()
    const { setAgent } = await import('../../../../src/services/chat/admin/agent-settings.ts')
    const agent = await setAgent(chat, args.code.toUpperCase(), args.agent, { displayName: name, face: picture })
    this.fields(agent)
    return agent
  }
}
