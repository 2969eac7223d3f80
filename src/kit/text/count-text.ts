/** Formats a count with its noun: `1 ticket`, `1,200 tickets`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
