import { createHash } from 'node:crypto'
import { Problem } from '../../../kit/problem.ts'
import { theTenant } from '../admin.ts'
import { isOfType } from '../media/file-types.ts'
import { deleteFace, renameAgent, saveFace } from '../queries/faces.ts'
import { agentOf } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'
import { checkAgentName } from './agent-name.ts'

/** Maximum size of a picture in bytes. Every page with the widget may load it. */
const maxFaceBytes = 102_400
const faceTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** Changes an agent's name and picture, which customers see. `face: null` removes the picture. */
export async function setAgent(
  app: Chat,
  code: string,
  agentId: string,
  { displayName, face }: { readonly displayName?: string | undefined; readonly face?: Uint8Array | null | undefined },
): Promise<{ agentId: string; displayName: string }> {
  if (displayName !== undefined) checkAgentName(displayName)
  const type = face ? await pictureType(face) : undefined
  return app.store.write(async (tx) => {
    await theTenant(tx, code)
    const agent = await agentOf(tx, code, agentId)
    if (!agent)
      throw new Problem(
        'AGENT_NOT_FOUND',
        `There is no agent ${agentId}. To list them: countroom console chat keys list ${code}`,
      )
    if (displayName !== undefined) await renameAgent(tx, agentId, displayName)
    if (face === null) await deleteFace(tx, agentId)
    if (face && type)
      await saveFace(tx, {
        agent_id: agentId,
        tenant: code,
        mark: createHash('sha256').update(face).digest('hex').slice(0, 16),
        content_type: type,
        picture: Buffer.from(face).toString('base64'),
      })
    return { agentId, displayName: displayName ?? agent.display_name }
  })
}

async function pictureType(face: Uint8Array): Promise<string> {
  if (face.byteLength > maxFaceBytes)
    throw new Problem('CHAT_FACE_INVALID', `The picture has ${face.byteLength} bytes; the maximum is ${maxFaceBytes}`)
  for (const type of faceTypes) if (await isOfType(type, face)) return type
  throw new Problem('CHAT_FACE_INVALID', 'The picture is not a PNG, JPEG or WebP file')
}
