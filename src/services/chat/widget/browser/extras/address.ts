import { newId } from '../conversation/ambient.ts'
import type { ExtrasContext } from '../extras.ts'

/** Pattern of one email address that the server accepts for mail. */
const address = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i

/** Creates an email field with a button. `send` returns the text to show; if it throws, a general error is shown. */
export function addressField(
  { core, strings }: ExtrasContext,
  label: string,
  button: string,
  send: (email: string) => Promise<string>,
) {
  const { make } = core.ctx
  const id = `e${newId()}`
  const news = make('p', { role: 'status', id })
  const field = make('input', {
    type: 'email',
    autocomplete: 'email',
    maxLength: 254,
    onkeydown: (event) => {
      if (event.key !== 'Enter' || event.isComposing) return
      event.preventDefault()
      submit()
    },
  })
  field.setAttribute('aria-describedby', id)
  const go = make('button', { type: 'button', className: 'b', textContent: button, onclick: () => submit() })
  const submit = async () => {
    const email = field.value.trim()
    const isGood = address.test(email) && email.length <= 254
    field.ariaInvalid = String(!isGood)
    news.textContent = isGood ? '' : strings.emailInvalid
    if (!isGood) return field.focus()
    go.disabled = true
    news.textContent = await send(email).catch(() => strings.failed)
    go.disabled = false
  }
  const element = make('div', {}, make('div', { className: 'row' }, make('label', {}, label, field), go), news)
  return { element, field }
}
