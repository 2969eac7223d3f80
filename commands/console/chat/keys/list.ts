import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { listFlags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'

export default class ConsoleChatKeysList extends CountroomCommand {
  static override summary = 'List the API keys and agent tokens of a merchant, without secrets'
  static override examples = ['countroom console chat keys list DEMO']
  static override exits = ['not-found'] as const
  static override args = chatTenantArg
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const row = Type.Object({
      keyId: Type.String(),
      kind: Type.String(),
      agentId: text,
      agent: text,
      createdAt: Type.String(),
      revokedAt: text,
    })
    return Type.Object({ keys: Type.Array(row) })
  }

  override async run() {
    const { args } = await this.parse(ConsoleChatKeysList)
    const { store } = await this.services.world()
    const { agentNames, chatKeysOf } = await import('../../../../src/services/chat/queries/tenants.ts')
    const keys = await store.read(async (reader) => {
      const rows = await chatKeysOf(reader, args.code.toUpperCase())
      const names = await agentNames(
        reader,
        rows.map((row) => row.agent_id),
      )
      return rows.map((row) => ({
        keyId: row.id,
        kind: row.kind as string,
        agentId: row.agent_id,
        agent: row.agent_id === null ? null : (names.get(row.agent_id) ?? null),
        createdAt: new Date(row.created_at).toISOString(),
        revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
      }))
    })
    this.table(
      keys,
      [{ key: 'keyId', whole: true }, 'kind', { key: 'agentId', whole: true }, 'agent', 'createdAt', 'revokedAt'],
      'No keys.',
    )
    return { keys }
  }
}
