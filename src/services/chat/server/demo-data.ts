import { chatCredentials, createAgent, createChatTenant, hasChatTenants } from '../admin.ts'
import type { Chat } from '../service.ts'
import { demoChatCode, demoFreeCode } from './demo-codes.ts'

/** Creates the demo merchants in a world without merchants. Returns true if it created them. */
export async function ensureChatDemo(app: Chat): Promise<boolean> {
  if (await hasChatTenants(app)) return false
  await createChatTenant(app, { code: demoChatCode, name: 'Demo', plan: 'pro', look: { greeting: 'How can we help?' } })
  await createChatTenant(app, { code: demoFreeCode, name: 'Demo on the free plan', plan: 'free' })
  await createAgent(app, demoChatCode, 'Desk 1')
  return true
}

/** Returns the keys of the demo merchants for the ready file; undefined if they do not exist. */
export async function chatDemoCredentials(app: Chat) {
  const pro = await chatCredentials(app, demoChatCode)
  const free = await chatCredentials(app, demoFreeCode)
  if (!pro) return undefined
  return {
    apiKey: pro.apiKey ?? '',
    tenantKey: pro.tenantKey,
    agentToken: pro.agentToken ?? '',
    freePlanApiKey: free?.apiKey ?? '',
  }
}
