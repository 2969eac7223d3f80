import type { Message } from '../context.ts'
import type { Core } from '../conversation/core.ts'
import type { Panel } from '../conversation/panel.ts'

/** Returns a function that shows the agent in the title and a picture at each message of an agent. */
export function people(core: Core, panel: Panel) {
  const { ctx, room, list } = core
  let drawn = ''
  return () => {
    let last: Message | undefined
    for (const [message, li] of list.drawn) {
      if (message.senderType !== 'agent' || message.eventKind) continue
      if ((message.seq || 0) > (last?.seq || 0)) last = message
      const name = li.querySelector('small')
      if (name && !name.querySelector('.a')) name.prepend(face(core, message.senderId, name.textContent || ''))
    }
    const { agentId: id, displayName: name } = room.state?.assignee || {
      agentId: last?.senderId,
      displayName: last?.senderDisplayName,
    }
    // Redrawn only for another agent or picture, so that the picture is not loaded again.
    const shown = `${name}${id && ctx.config.faces?.[id]}`
    if (name && shown !== drawn) panel.name.replaceChildren(face(core, id, name), name)
    drawn = shown
  }
}

/** Creates an agent's picture, or the first letter of their name. Screen readers read the name next to it. */
function face({ ctx }: Core, id: string | null | undefined, name: string): HTMLElement {
  const path = ctx.config.faces?.[id || '']
  const letter = ctx.make('span', { className: 'a', ariaHidden: 'true', textContent: [...name][0] || '' })
  if (!path) return letter
  return ctx.make('img', {
    className: 'a',
    src: ctx.base + path,
    alt: '',
    onerror: (event) => ((event as Event).target as Element).replaceWith(letter),
  })
}
