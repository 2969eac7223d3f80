import type { ExtrasContext } from '../extras.ts'
import { addressField } from './address.ts'

/** Asks for an email address outside office hours, so that the reply reaches the customer. */
export function emailForm(context: ExtrasContext) {
  const { core, access, strings } = context
  const { make } = core.ctx
  const { session, room } = core
  const { element: field } = addressField(context, strings.email, strings.save, async (email) => {
    session.save({ email })
    session.customer.email = email
    // Without a room, the address is sent when the room is created.
    if (room.state) await access.renew()
    return strings.emailSaved.replace('%', () => email)
  })
  const element = make('div', { hidden: true }, make('p', { textContent: strings.emailHint }), field)
  return {
    element,
    offer() {
      const { hours } = core.ctx.config
      const known = session.customer.email || session.load().email || room.state?.customerEmail
      // After an address was saved, the form stays with its confirmation until the next page.
      if (hours?.isOpen !== false) element.hidden = true
      else if (!known) element.hidden = false
    },
  }
}
