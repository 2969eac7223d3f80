import type { InputFault } from '../../domain/wallet/transfer-faults.ts'
import { parameterFault } from './validate.ts'

/** Validates `--limit-profile`: the ID of a profile, or `default`. */
export function limitProfileFault(text: string | undefined): InputFault | undefined {
  const isWrong = text !== undefined && text !== 'default' && !/^[1-9][0-9]{0,14}$/.test(text)
  return parameterFault('limitProfileId', isWrong, '--limit-profile must be a whole number above 0, or "default"')
}

/** Returns the request field; empty if the flag is absent. */
export function limitProfileOf(text: string | undefined): { limitProfileId?: number | null } {
  if (text === undefined) return {}
  return { limitProfileId: text === 'default' ? null : Number.parseInt(text, 10) }
}
