/** Counts open streams by holder and by address. */
export interface ConnectionLimits {
  ofHolder(holder: string): number
  ofAddress(address: string): number
  take(holder: string, address: string): void
  leave(holder: string, address: string): void
}

export function openConnectionLimits(): ConnectionLimits {
  const holders = new Map<string, number>()
  const addresses = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string, more: number) => {
    const left = (counts.get(key) ?? 0) + more
    if (left > 0) counts.set(key, left)
    else counts.delete(key)
  }
  return {
    ofHolder: (holder) => holders.get(holder) ?? 0,
    ofAddress: (address) => addresses.get(address) ?? 0,
    take(holder, address) {
      add(holders, holder, 1)
      add(addresses, address, 1)
    },
    leave(holder, address) {
      add(holders, holder, -1)
      add(addresses, address, -1)
    },
  }
}
