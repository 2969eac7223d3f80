import { unseen } from '../../kit/control-characters.ts'
import { type Template, templateWith } from '../../kit/html.ts'

export { Markup, type Part } from '../../kit/html.ts'

/** Markup whose values are shown as text, characters that cannot be seen by their codes. */
export const html: Template = templateWith((text) =>
  text.replace(unseen, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`),
)
