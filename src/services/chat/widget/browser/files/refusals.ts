import type { Config, Strings } from '../context.ts'

/** Maximum number of chosen files that are not sent yet. */
export const maxFiles = 10

/** Returns the reason why a file cannot be sent, in the customer's language. Checked before any byte is sent. */
export function refusalOf(file: File, limits: Config['upload'], strings: Strings): string | undefined {
  if (file.size === 0) return strings.emptyFile
  if (limits && !limits.contentTypes.includes(typeOf(file))) return strings.wrongType
  if (limits && file.size > limits.maxFileBytes)
    return strings.tooLarge.replace('%', sizeText(limits.maxFileBytes, strings.lang))
  return undefined
}

/** Returns the type of a file. If the browser does not know it, the server checks that the file is plain text. */
export function typeOf(file: File): string {
  return file.type.split(';')[0] || 'text/plain'
}

export function sizeText(bytes: number, locale: string): string {
  const [amount, unit] = bytes < 1048576 ? [Math.max(bytes / 1024, 0.1), 'kilobyte'] : [bytes / 1048576, 'megabyte']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(amount)
}
