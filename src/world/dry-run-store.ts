import type { Store } from '../db/store.ts'

/** Error that rolls back a dry run. */
const rollback = new Error('rolled back')

/**
 * Returns a store whose writes run completely and are then rolled back, for `--dry-run`: the same refusals and
 * responses, but no changes. Each write starts from the real data.
 */
export function dryRunStore(store: Store): Store {
  return {
    ...store,
    async write(work, options) {
      let answer: { value: Awaited<ReturnType<typeof work>> } | undefined
      try {
        await store.write(async (tx) => {
          answer = { value: await work(tx) }
          throw rollback
        }, options)
      } catch (error) {
        if (error !== rollback) throw error
      }
      if (!answer) throw new Error('a rolled-back write has a result')
      return answer.value
    },
  }
}
