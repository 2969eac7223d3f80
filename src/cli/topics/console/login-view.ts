import type { LoginFailures } from '../../../services/gateway/admin/logins.ts'
import { Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column, Row } from '../../terminal/table.ts'

/** Flags that select counters of failed logins. */
export const loginFilterFlags = {
  user: Flags.string({ summary: 'Email address of the console user', helpValue: 'EMAIL' }),
  merchant: Flags.string({ summary: 'Merchant ID', helpValue: 'ID' }),
  address: Flags.string({ summary: 'IP address of the attempts', helpValue: 'ADDRESS' }),
}

export function loginFilter(flags: {
  user?: string | undefined
  merchant?: string | undefined
  address?: string | undefined
}) {
  return { email: flags.user, merchant: flags.merchant, address: flags.address }
}

export const loginColumns: readonly (Column | string)[] = [
  'state',
  'credential',
  { key: 'countedBy', title: 'counted by' },
  { key: 'user', whole: true },
  'merchant',
  'address',
  { key: 'failures', kind: 'count' },
  { key: 'refused', title: 'rejected', kind: 'count' },
  { key: 'lastFailureAt', title: 'last failure' },
  { key: 'waitsUntil', title: 'waits until' },
]

export const loginRows = (all: readonly LoginFailures[]): Row[] => all.map((each) => ({ ...each }))

/** Returns the schema of a counter. */
export function loginSchema({ Type }: Shapes) {
  const orNull = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    credential: Type.Enum(['password', 'code']),
    countedBy: Type.Enum(['pair', 'user', 'merchant', 'address'], { description: 'pair: a user from one address.' }),
    merchant: orNull,
    user: orNull,
    address: orNull,
    failures: Type.Integer({ description: 'Wrong passwords or codes that still count.' }),
    refused: Type.Integer({ description: 'Attempts rejected without checking the password or code.' }),
    lastFailureAt: Type.String(),
    state: Type.Enum(['counting', 'waiting', 'locked']),
    waitsUntil: Type.Union([Type.String({ description: 'Time of the next allowed attempt.' }), Type.Null()]),
  })
}
