/** Returns whether a person sees the output. Without a terminal, as under cron, a successful run prints nothing. */
export function hasTerminal(): boolean {
  return process.stderr.isTTY === true || process.stdout.isTTY === true
}
