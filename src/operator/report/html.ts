import { type Template, templateWith } from '../../kit/html.ts'
import { withCodes } from '../../kit/text/control-characters.ts'

export { Markup, type Part } from '../../kit/html.ts'

/** HTML template for reports. Values are escaped, and invisible characters are shown as codes. */
export const html: Template = templateWith(withCodes)
