import { maxAmount } from '../money.ts'

/** The balance after putting an amount in, or that it would be more than an amount can say. */
export function putIn(balance: bigint, amount: bigint): bigint | 'too-much' {
  const after = balance + amount
  return after > maxAmount ? 'too-much' : after
}

/** The balance after taking an amount out, or that there is too little. */
export function takeOut(balance: bigint, amount: bigint): bigint | 'too-little' {
  return amount > balance ? 'too-little' : balance - amount
}
