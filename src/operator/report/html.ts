import { withCodes } from '../../kit/control-characters.ts'
import { type Template, templateWith } from '../../kit/html.ts'

export { Markup, type Part } from '../../kit/html.ts'

/** HTML template for reports. Values are escaped, and invisible characters are shown as codes. */
export const html: Template = templateWith(withCodes)
