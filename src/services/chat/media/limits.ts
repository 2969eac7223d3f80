import type { ChatTenantRow } from '../../../db/schema/chat.ts'

/** How much customers of a merchant may send. */
export interface UploadLimits {
  readonly maxFileBytes: number
  /** Uploads of a room that are open at once. */
  readonly maxOpenUploads: number
  /** Of a room within a day. */
  readonly maxBytesPerDay: number
}

const mib = 1_048_576
/** The document names the three steps; sizes and times are ours. */
export const usualLimits: UploadLimits = {
  maxFileBytes: 50 * mib,
  maxOpenUploads: 3,
  maxBytesPerDay: 500 * mib,
}

/** Between what the back office may choose. */
export const limitBounds: Readonly<Record<keyof UploadLimits, { readonly from: number; readonly to: number }>> = {
  maxFileBytes: { from: mib, to: 1_024 * mib },
  maxOpenUploads: { from: 1, to: 100 },
  maxBytesPerDay: { from: mib, to: 1_048_576 * mib },
}

/** A tenant's limits, with the usual where nothing was chosen. */
export function limitsOf({ limits }: Pick<ChatTenantRow, 'limits'>): UploadLimits {
  const chosen: Partial<UploadLimits> = JSON.parse(limits)
  return { ...usualLimits, ...chosen }
}
