import { playerScale, positiveAmountPattern } from '../money.ts'

/**
 * Returns why a text is not an amount above zero and what to write instead, as the end of a sentence. Never guesses: an
 * ambiguous text gets both readings.
 */
export function amountAdvice(text: string): string {
  const plain = text.trim()
  if (/^[+−-]?[0.,]*0[0.,]*$/.test(plain)) return 'is not above zero'
  if (/^[+−-]/.test(plain)) return signAdvice(plain)
  if (/^[0-9]*([.,][0-9]*)?[eE][+-]?[0-9]+$/.test(plain))
    return 'is in scientific notation, which spreadsheets use for large numbers and may lose digits: write all digits'
  if (/^[0-9]{1,15}[.][0-9]{5,}$/.test(plain)) return `has more than ${playerScale} decimals`
  if (/^[(].*[)]$/.test(plain))
    return 'is in parentheses, an accounting form of negative amounts: write it with a minus'
  if (/^[.][0-9]{1,4}$/.test(plain)) return `starts with a decimal point: write 0${plain}`
  if (/^[0-9]{1,15}[.]$/.test(plain)) return `ends with a decimal point: write ${plain.slice(0, -1)}`
  if (/^\p{Nd}+([.]\p{Nd}+)?$/u.test(plain) && !/^[0-9.]+$/.test(plain))
    return 'has digits of another script: write it with 0 to 9'
  return groupAdvice(plain) ?? otherAdvice(plain)
}

/** Explains signs: negative zero, a redundant plus, a typographic minus. */
function signAdvice(text: string): string {
  const bare = text.replace(/^[+−-]/, '')
  // The advice keeps the minus: without it a withdrawal would become a deposit.
  if (!positiveAmountPattern.test(bare))
    return amountAdvice(bare).replace(/(?<=: write |can mean | or )(?=[0-9])/g, text.startsWith('+') ? '' : '-')
  if (!/[1-9]/.test(bare)) return 'is not above zero'
  if (text.startsWith('−')) return `has a typographic minus: write -${bare}`
  return `has a ${text.startsWith('+') ? 'plus' : 'minus'} sign: write ${bare}`
}

/** Thousands and decimal separators of the world. */
function groupAdvice(text: string): string | undefined {
  const [, whole = '', separator = '', decimals = ''] =
    /^([0-9]{1,3}(?:[.,'’_\s\u00a0\u202f]?[0-9]{3})*)(?:([.,])([0-9]{1,4}))?$/u.exec(text) ?? []
  if (whole === '') return undefined
  const marks = new Set(whole.replace(/[0-9]/g, ''))
  if (marks.size > 1 || marks.has(separator)) return undefined
  const digits = whole.replace(/[^0-9]/g, '')
  if (digits.length > 15) return undefined
  const isSingle = whole.replace(/[0-9]/g, '').length === 1 && separator === ''
  if (isSingle && marks.has(',')) return commaAdvice(text, digits)
  const amount = decimals === '' ? digits : `${digits}.${decimals}`
  return `has separators between its digits: write ${amount} if that is meant`
}

/** One comma before three digits: a thousands separator in some countries, a decimal separator in others. */
function commaAdvice(text: string, digits: string): string {
  const withPoint = text.replace(',', '.')
  if (!positiveAmountPattern.test(withPoint)) return `has a comma, and more than ${playerScale} digits after it`
  if (text.startsWith('0')) return `has a decimal comma: write ${withPoint}`
  return `can mean ${digits} or ${withPoint}: write the one that is meant`
}

function otherAdvice(text: string): string {
  if (/[0-9]/.test(text) && /\p{L}|\p{Sc}/u.test(text))
    return 'contains more than an amount: write only digits and one decimal point'
  return 'must be a decimal above zero with at most 15 digits before the point and 4 after it'
}

/** Returns whether a text is an amount whose point could also be a thousands separator: `1.234`. */
export const isTwoWayPoint = (text: string): boolean => /^[+-]?[1-9][0-9]{0,2}[.][0-9]{3}$/.test(text)
