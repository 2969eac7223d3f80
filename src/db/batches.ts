import { currentTimeline } from './timeline.ts'

/** Returns the items of a batch and closes it: later items go to the next one. Repeated calls return the same items. */
export type TakeItems<Item> = () => readonly Item[]

interface Batch<Item, Result> {
  readonly timeline: ReturnType<typeof currentTimeline>
  readonly items: Item[]
  readonly results: Promise<readonly Result[]>
}

/**
 * Collects items until their work begins, and hands them to it together. For requests that share a transaction: all that
 * arrive while it waits for its turn are in it. `run` is called with the first item of a batch, takes the items when it
 * begins, and returns one result per item in their order; if it throws, every item of the batch fails.
 */
export function createBatches<Item, Result>(
  maxSize: number,
  run: (take: TakeItems<Item>) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let open: Batch<Item, Result> | undefined
  const begin = (timeline: Batch<Item, Result>['timeline']): Batch<Item, Result> => {
    const items: Item[] = []
    const take = () => {
      if (open?.items === items) open = undefined
      return items
    }
    return { timeline, items, results: Promise.resolve().then(() => run(take)) }
  }
  return async (item) => {
    const timeline = currentTimeline()
    if (open?.timeline !== timeline) open = undefined
    open ??= begin(timeline)
    const { items, results } = open
    const index = items.push(item) - 1
    if (items.length >= maxSize) open = undefined
    // `run` returns one result for each item.
    return (await results)[index] as Result
  }
}
