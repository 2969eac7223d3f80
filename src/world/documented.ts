import type { Documented } from '../http/docs/documented.ts'
import { casino } from '../services/casino/api/contract.ts'
import { casinoSamples } from '../services/casino/api/samples.ts'
import { agent, chat, widget } from '../services/chat/api/contract.ts'
import { agentSamples, chatSamples, widgetSamples } from '../services/chat/api/samples.ts'
import { gateway } from '../services/gateway/api/contract.ts'
import { gatewaySamples } from '../services/gateway/api/samples.ts'

/** The APIs of the reference with their code samples, in its order. */
export const documented: readonly Documented[] = [
  { name: 'casino', contract: casino, samples: casinoSamples },
  { name: 'gateway', contract: gateway, samples: gatewaySamples },
  { name: 'chat', contract: chat, samples: chatSamples },
  { name: 'chat-widget', contract: widget, samples: widgetSamples },
  { name: 'chat-agent', contract: agent, samples: agentSamples },
]
