import { playerScale, positiveAmountPattern } from '../money.ts'

/**
 * Why a text is no amount above zero, and what to write instead: the end of a sentence that names it. Nothing is guessed
 * at: where a text may mean two amounts, both are said and neither is taken.
 */
export function amountAdvice(text: string): string {
  const plain = text.trim()
  if (/^[+−-]?[0.,]*0[0.,]*$/.test(plain)) return 'is not above zero'
  if (/^[+−-]/.test(plain)) return signAdvice(plain)
  if (/^[0-9]*([.,][0-9]*)?[eE][+-]?[0-9]+$/.test(plain))
    return 'is in powers of ten, as spreadsheets shorten large numbers, and may have lost digits: write all of its digits'
  if (/^[0-9]{1,15}[.][0-9]{5,}$/.test(plain)) return `has more than ${playerScale} decimals`
  if (/^[(].*[)]$/.test(plain)) return 'is in brackets, as accountants write what is below zero: write it with a minus'
  if (/^[.][0-9]{1,4}$/.test(plain)) return `begins with its point: write 0${plain}`
  if (/^[0-9]{1,15}[.]$/.test(plain)) return `ends with its point: write ${plain.slice(0, -1)}`
  if (/^\p{Nd}+([.]\p{Nd}+)?$/u.test(plain) && !/^[0-9.]+$/.test(plain))
    return 'is in digits of another script: write it with 0 to 9'
  return groupAdvice(plain) ?? otherAdvice(plain)
}

/** Signs: zero below zero, a plus that says nothing, a minus that a word processor made longer. */
function signAdvice(text: string): string {
  const bare = text.replace(/^[+−-]/, '')
  // What is to be written keeps the minus: without it a withdrawal would become a deposit.
  if (!positiveAmountPattern.test(bare))
    return amountAdvice(bare).replace(/(?<=: write |may be | or )(?=[0-9])/g, text.startsWith('+') ? '' : '-')
  if (!/[1-9]/.test(bare)) return 'is not above zero'
  if (text.startsWith('−')) return `has a minus of another kind: write -${bare}`
  return `has a sign: write ${bare}`
}

/** Thousands and decimal signs of the world. */
function groupAdvice(text: string): string | undefined {
  const [, whole = '', sign = '', decimals = ''] =
    /^([0-9]{1,3}(?:[.,'’_\s\u00a0\u202f]?[0-9]{3})*)(?:([.,])([0-9]{1,4}))?$/u.exec(text) ?? []
  if (whole === '') return undefined
  const marks = new Set(whole.replace(/[0-9]/g, ''))
  if (marks.size > 1 || marks.has(sign)) return undefined
  const digits = whole.replace(/[^0-9]/g, '')
  if (digits.length > 15) return undefined
  const isSingle = whole.replace(/[0-9]/g, '').length === 1 && sign === ''
  if (isSingle && marks.has(',')) return commaAdvice(text, digits)
  const amount = decimals === '' ? digits : `${digits}.${decimals}`
  return `has signs between its digits: write ${amount}, if that is meant`
}

/** One comma before groups of three digits: it parts thousands in one half of the world and decimals in the other. */
function commaAdvice(text: string, digits: string): string {
  const withPoint = text.replace(',', '.')
  if (!positiveAmountPattern.test(withPoint)) return `has a comma, and more than ${playerScale} digits after it`
  if (text.startsWith('0')) return `has a comma: write ${withPoint}`
  return `may be ${digits} or ${withPoint}: write the one that is meant`
}

function otherAdvice(text: string): string {
  if (/[0-9]/.test(text) && /\p{L}|\p{Sc}/u.test(text))
    return 'has more than the amount in it: write digits and one point only'
  return 'is not a decimal above zero with at most 15 digits before the point and 4 after it'
}

/** Whether a text is an amount in which a point may as well part thousands: `1.234`. */
export const isTwoWayPoint = (text: string): boolean => /^[+-]?[1-9][0-9]{0,2}[.][0-9]{3}$/.test(text)
