import type { CommandContext } from '../../context/context.ts'
import { Flags, listFlags } from '../../framework/flags.ts'

const maxAtOnce = 500

/** Flags of every listing command of the gateway. */
export const gatewayListFlags = {
  limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
  ...listFlags,
}

/**
 * Reads pages of a list up to a limit, and whether there are more. A page has at most 500 entries. `keep` drops entries
 * that a gateway which ignores a filter returned too.
 */
export async function listPages<Row extends object>(
  context: CommandContext,
  limit: number,
  page: (limit: number, index: number, offset: number) => Promise<readonly Row[]>,
  keep: (row: Row) => boolean = () => true,
): Promise<{ rows: Row[]; more: boolean }> {
  const size = Math.min(limit + 1, maxAtOnce)
  const rows: Row[] = []
  for (let index = 0; rows.length <= limit; index++) {
    const got = await page(size, index, index * size)
    const kept = got.filter(keep)
    const fresh = kept.slice(0, limit - rows.length)
    rows.push(...kept.slice(0, limit + 1 - rows.length))
    if (!(await context.rows(fresh)) || got.length < size) break
  }
  return context.upTo(limit, rows)
}
