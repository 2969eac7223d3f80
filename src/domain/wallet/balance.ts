import { maxAmount } from '../money.ts'

/** Returns the balance after adding an amount, or that it exceeds the largest amount. */
export function creditBalance(balance: bigint, amount: bigint): bigint | 'too-much' {
  const after = balance + amount
  return after > maxAmount ? 'too-much' : after
}

/** Returns the balance after taking an amount, or that it is too low. */
export function debitBalance(balance: bigint, amount: bigint): bigint | 'too-little' {
  return amount > balance ? 'too-little' : balance - amount
}
