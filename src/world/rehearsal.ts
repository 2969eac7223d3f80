import type { Store } from '../db/store.ts'

/** Ends a write that is only tried. */
const takenBack = new Error('taken back')

/**
 * A store whose writes are done in full and then taken back, for `--dry-run`: what would be refused is refused, what would
 * be answered is answered, and nothing stays. Each write starts from what is really there.
 */
export function rehearsing(store: Store): Store {
  return {
    ...store,
    async write(work, options) {
      let answer: { value: Awaited<ReturnType<typeof work>> } | undefined
      try {
        await store.write(async (tx) => {
          answer = { value: await work(tx) }
          throw takenBack
        }, options)
      } catch (error) {
        if (error !== takenBack) throw error
      }
      if (!answer) throw new Error('a write that was tried has an answer')
      return answer.value
    },
  }
}
