import type { ChatFaceRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Maximum number of pictures in the widget's settings. */
const maxFaces = 200

/** Lists the agents of a merchant that have a picture, without the pictures. */
export function facesOf({ q }: Reader, tenant: string): Promise<Pick<ChatFaceRow, 'agent_id' | 'mark'>[]> {
  return q
    .selectFrom('chat_faces')
    .select(['agent_id', 'mark'])
    .where('tenant', '=', tenant)
    .orderBy('agent_id')
    .limit(maxFaces)
    .execute()
}

export function faceOf({ q }: Reader, agentId: string): Promise<ChatFaceRow | undefined> {
  return q.selectFrom('chat_faces').selectAll().where('agent_id', '=', agentId).executeTakeFirst()
}

export async function saveFace({ q }: Tx, row: ChatFaceRow): Promise<void> {
  const { agent_id: _, ...change } = row
  await q
    .insertInto('chat_faces')
    .values(row)
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(change))
    .execute()
}

export async function deleteFace({ q }: Tx, agentId: string): Promise<void> {
  await q.deleteFrom('chat_faces').where('agent_id', '=', agentId).execute()
}

export async function renameAgent({ q }: Tx, agentId: string, name: string): Promise<void> {
  await q.updateTable('chat_agents').set({ display_name: name }).where('id', '=', agentId).execute()
}
