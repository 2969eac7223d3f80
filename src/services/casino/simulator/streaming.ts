import { gbScale, type StreamSource } from '../../../domain/account/billing.ts'
import { formatFixed, unitsOf } from '../../../domain/money.ts'
import { utcDayOf } from '../../../domain/time/calendar.ts'
import { Problem } from '../../../kit/problem.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { saveStream } from '../queries/credit.ts'
import type { Casino } from '../service.ts'

/** More than any day could have, and within the range of a fee. */
const maxGb = 10n ** 9n * 10n ** BigInt(gbScale)

/**
 * Records a source's measurement of streaming to a tenant's players on a UTC day, replacing the previous one. A charged
 * day is closed.
 */
export async function measureStream(
  app: Casino,
  code: string,
  measured: { readonly gb: string; readonly source: StreamSource; readonly day?: string | undefined },
) {
  const units = unitsOf(measured.gb, gbScale)
  if (units === null || units < 0n || units > maxGb)
    throw refuse('INVALID_AMOUNT', 'Gigabytes must be a decimal from 0 with at most 3 decimals')
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const today = utcDayOf(tx.now)
    const day = measured.day ?? today
    if (day > today) throw refuse('INVALID_PARAMETER', `${day} is in the future`, { field: 'day' })
    if (tenant.charged_through !== null && day <= tenant.charged_through)
      throw new Problem('CONFLICT', `${day} was already charged: a new measurement would have no effect`)
    const gb = formatFixed(units, gbScale, gbScale)
    await saveStream(tx, { tenant: tenant.code, day, source: measured.source, gb })
    return { companyCode: tenant.code, day, source: measured.source, gb }
  })
}
