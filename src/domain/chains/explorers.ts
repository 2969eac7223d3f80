import type { GatewayEnvironment, NetworkCode } from './networks.ts'

/** Public block explorers, by network and environment. `{hash}` is the hash of the transaction. */
const explorers: Readonly<Record<NetworkCode, Readonly<Record<GatewayEnvironment, string>>>> = {
  eth: { production: 'https://etherscan.io/tx/{hash}', sandbox: 'https://sepolia.etherscan.io/tx/{hash}' },
  bsc: { production: 'https://bscscan.com/tx/{hash}', sandbox: 'https://testnet.bscscan.com/tx/{hash}' },
  matic: { production: 'https://polygonscan.com/tx/{hash}', sandbox: 'https://amoy.polygonscan.com/tx/{hash}' },
  avaxc: { production: 'https://snowtrace.io/tx/{hash}', sandbox: 'https://testnet.snowtrace.io/tx/{hash}' },
  arbitrum: { production: 'https://arbiscan.io/tx/{hash}', sandbox: 'https://sepolia.arbiscan.io/tx/{hash}' },
  base: { production: 'https://basescan.org/tx/{hash}', sandbox: 'https://sepolia.basescan.org/tx/{hash}' },
  op: {
    production: 'https://optimistic.etherscan.io/tx/{hash}',
    sandbox: 'https://sepolia-optimism.etherscan.io/tx/{hash}',
  },
  trx: {
    production: 'https://tronscan.org/#/transaction/{hash}',
    sandbox: 'https://nile.tronscan.org/#/transaction/{hash}',
  },
  sol: { production: 'https://solscan.io/tx/{hash}', sandbox: 'https://solscan.io/tx/{hash}?cluster=devnet' },
  btc: { production: 'https://mempool.space/tx/{hash}', sandbox: 'https://mempool.space/testnet4/tx/{hash}' },
}

/** Returns the page of a transaction in its network's explorer. */
export function explorerUrl(network: NetworkCode, environment: GatewayEnvironment, hash: string): string {
  return explorers[network][environment].replace('{hash}', encodeURIComponent(hash))
}
