import type { Strings } from '../context.ts'
import { newId } from '../conversation/ambient.ts'
import type { ExtrasContext } from '../extras.ts'
import { addressField } from './address.ts'
import { ring } from './sound.ts'

/** Creates the list of options that the button in the panel's header opens. */
export function options(context: ExtrasContext, onToggled: () => void) {
  const { core, panel, strings, access } = context
  const { ctx, session, room } = core
  const { make } = ctx
  const sound = soundBox(context)
  const { transcript, mail } = transcriptOption(context)
  const tickets = make('button', {
    type: 'button',
    className: 'o',
    textContent: strings.tickets,
    onclick: () =>
      ctx.load('tickets').then(
        (script: typeof import('../tickets.ts') & { strings: Strings }) => {
          if (core.isStopped) return
          toggle()
          script.start(core, access, panel, script.strings)
        },
        () => core.status.showDisconnected(),
      ),
  })
  const element = make(
    'div',
    { hidden: true, className: 'n0' },
    make('label', { className: 'o' }, sound, strings.sound),
    transcript,
    mail,
    tickets,
  )
  /** Offers the tickets if the back office's settings, which may arrive when the options are open, have them. */
  const offer = () => {
    tickets.hidden = !(session.customer.account && ctx.config.tickets)
  }
  const toggle = () => {
    element.hidden = !element.hidden
    panel.hasOptions = !element.hidden
    mail.hidden = true
    transcript.ariaExpanded = 'false'
    transcript.hidden = !room.state
    offer()
    sound.checked = !!session.load().sound
    onToggled()
  }
  return { element, toggle, offer }
}

/** Creates the option that sends the conversation by email: a button, and the address field that it opens. */
function transcriptOption(context: ExtrasContext) {
  const { core, strings } = context
  const { ctx, session, room, api } = core
  // The id of an address stays the same until its mail is sent, so that a retry does not send a second mail.
  const ids = new Map<string, string>()
  const { element: mail, field } = addressField(context, strings.email, strings.send, async (email) => {
    const clientTranscriptId = ids.get(email) || newId()
    ids.set(email, clientTranscriptId)
    await api.inRoom('POST', '/transcript', { email, clientTranscriptId })
    ids.delete(email)
    return strings.transcriptSent.replace('%', () => email)
  })
  const transcript = ctx.make('button', {
    type: 'button',
    className: 'o',
    textContent: strings.transcript,
    ariaExpanded: 'false',
    onclick: () => {
      mail.hidden = !mail.hidden
      transcript.ariaExpanded = String(!mail.hidden)
      if (mail.hidden) return
      field.value ||= session.customer.email || session.load().email || room.state?.customerEmail || ''
      field.focus()
    },
  })
  return { transcript, mail }
}

function soundBox({ core: { ctx, session } }: ExtrasContext): HTMLInputElement {
  const sound = ctx.make('input', {
    type: 'checkbox',
    onchange: () => {
      session.save({ sound: sound.checked })
      // Browsers allow sounds after the customer's click, which also plays the sound as a sample.
      if (sound.checked) ring()
    },
  })
  return sound
}
