import type { ChatTenantRow } from '../../../db/schema/chat.ts'

/** Upload limits of a merchant's rooms. */
export interface UploadLimits {
  readonly maxFileBytes: number
  /** Maximum number of open uploads of a room. */
  readonly maxOpenUploads: number
  /** Maximum bytes of a room in 24 hours. */
  readonly maxBytesPerDay: number
}

const mib = 1_048_576
/** Default limits, chosen by us: the document defines only the three steps. */
export const defaultLimits: UploadLimits = {
  maxFileBytes: 50 * mib,
  maxOpenUploads: 3,
  maxBytesPerDay: 500 * mib,
}

/** Ranges that the back office can choose from. */
export const limitBounds: Readonly<Record<keyof UploadLimits, { readonly from: number; readonly to: number }>> = {
  maxFileBytes: { from: mib, to: 1_024 * mib },
  maxOpenUploads: { from: 1, to: 100 },
  maxBytesPerDay: { from: mib, to: 1_048_576 * mib },
}

/** Returns a tenant's limits, with defaults for those that were not set. */
export function limitsOf({ limits }: Pick<ChatTenantRow, 'limits'>): UploadLimits {
  const chosen: Partial<UploadLimits> = JSON.parse(limits)
  return { ...defaultLimits, ...chosen }
}
