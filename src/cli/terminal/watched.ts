/** Returns whether a person watches. Without a terminal, as under cron, a successful run prints nothing. */
export function isWatched(): boolean {
  return process.stderr.isTTY === true || process.stdout.isTTY === true
}
