import { inParts } from '../../../db/chunks.ts'
import { prepared } from '../../../db/prepared.ts'
import type { ChatBucketRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Bucket } from '../../../domain/rate-limit.ts'

/** Returns the stored token buckets with these keys. */
export async function bucketsOf(reader: Reader, keys: readonly string[]): Promise<Map<string, Bucket>> {
  const buckets = new Map<string, Bucket>()
  await inParts(keys, async (part) => {
    const rows = await bucketsByKey(
      reader,
      {},
      part.map((key) => ({ key })),
    )
    for (const { key, level, at } of rows) buckets.set(key, { level: Number(level), at })
  })
  return buckets
}

const bucketsByKey = prepared((q, _: object, buckets: readonly { key: string }[]) =>
  q
    .selectFrom('chat_buckets')
    .selectAll()
    .where(
      'key',
      'in',
      buckets.map(({ key }) => key),
    ),
)

export async function saveBuckets(tx: Tx, buckets: ReadonlyMap<string, Bucket>): Promise<void> {
  const rows = [...buckets].map(([key, { level, at }]) => ({ key, level: String(level), at }))
  await inParts(rows, (part) => upsert(tx, {}, part))
}

const upsert = prepared((q, _: object, rows: readonly ChatBucketRow[]) =>
  q
    .insertInto('chat_buckets')
    .values(rows.map(({ key, level, at }) => ({ key, level, at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ level: eb.ref('excluded.level'), at: eb.ref('excluded.at') })),
    ),
)

/** Deletes buckets without a request since `before`: they are full again, so they equal missing ones. */
export async function forgetBuckets({ q }: Tx, before: number, limit: number): Promise<number> {
  const result = await q
    .deleteFrom('chat_buckets')
    .where('key', 'in', q.selectFrom('chat_buckets').select('key').where('at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
