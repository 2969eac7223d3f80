import { refuse } from './contract.ts'

/**
 * Returns the values of a list filter in lower case. They may be repeated parameters or separated by commas. Empty
 * values count as absent.
 */
export function filterValues(values: string | readonly string[] | undefined): string[] | undefined {
  const texts = values === undefined ? [] : typeof values === 'string' ? [values] : values
  const items = texts.flatMap((text) => text.split(',')).map((text) => text.trim().toLowerCase())
  const named = items.filter((text) => text !== '')
  return named.length === 0 ? undefined : named
}

/**
 * Returns the statuses of a list filter, or throws INVALID_REQUEST_PARAMS for an unknown one: an empty list would look
 * like "none yet".
 */
export function statusesAmong<const Status extends string>(
  values: string | readonly string[] | undefined,
  known: readonly Status[],
  field = 'status',
): Status[] | undefined {
  const items = filterValues(values)
  return items?.map((text) => {
    const status = known.find((each) => each === text)
    if (status === undefined)
      throw refuse('INVALID_REQUEST_PARAMS', `${field} must be one of ${known.join(', ')}, not ${text.slice(0, 40)}`, {
        field,
      })
    return status
  })
}
