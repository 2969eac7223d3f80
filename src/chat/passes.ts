import type { Pass } from '../outbox/pass.ts'
import { forgetExpired } from '../store/once.ts'
import type { Chat } from './chat.ts'

/** What time does to the chat. */
export function chatPasses(app: Chat): Pass[] {
  return [
    {
      name: 'chat answers under keys are forgotten',
      run: (limit) => app.store.write((tx) => forgetExpired(tx, limit)),
    },
  ]
}
