import Type, { type Static } from 'typebox'

/** Result of the verification of a book. */

export const checkNames = [
  'storage',
  'places',
  'records',
  'months',
  'cursor',
  'history',
  'batches',
  'breaks',
  'files',
] as const

export const BookCheck = Type.Object({
  name: Type.Enum([...checkNames]),
  status: Type.Enum(['pass', 'fail', 'unknown'], { description: 'unknown: it could not be checked.' }),
  checked: Type.Integer({ description: 'Number of rows or files that were checked.' }),
  faults: Type.Integer({ description: 'Number of faults; counting stops at 1,000.' }),
  first: Type.Union([Type.String(), Type.Null()], { description: 'The first fault, with its row.' }),
})
export type BookCheck = Static<typeof BookCheck>

export const BookVerification = Type.Object({
  book: Type.String(),
  rows: Type.Integer({ description: 'Number of revisions.' }),
  checks: Type.Array(BookCheck),
  verdict: Type.Enum(['whole', 'damaged', 'cannot-conclude']),
})
export type BookVerification = Static<typeof BookVerification>
