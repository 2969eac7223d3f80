/** Currencies and networks. Source: 2-payment-gateway-api, "What the service does". */

/** The sandbox's networks with their testnet and codes. */
export const sandboxNetworks = [
  { network: 'Ethereum', testnet: 'Sepolia', codes: ['eth', 'usdc'] },
  { network: 'BNB Smart Chain', testnet: 'BNB testnet', codes: ['bnbbsc', 'usdtbsc'] },
  { network: 'Polygon', testnet: 'Amoy', codes: ['maticmainnet', 'usdcmatic'] },
  { network: 'Avalanche C-Chain', testnet: 'Fuji', codes: ['avax', 'usdcavax'] },
  { network: 'Arbitrum', testnet: 'Sepolia', codes: ['etharb', 'usdcarb'] },
  { network: 'Base', testnet: 'Sepolia', codes: ['ethbase', 'usdcbase'] },
  { network: 'Optimism', testnet: 'Sepolia', codes: ['ethop', 'usdcop'] },
  { network: 'TRON', testnet: 'Nile', codes: ['trx', 'usdttrc20'] },
  { network: 'Solana', testnet: 'Devnet', codes: ['sol', 'usdcsol'] },
  { network: 'Bitcoin', testnet: 'Testnet4', codes: ['btc'] },
] as const

/** The number of production networks. */
export const productionNetworks = 10

/** "Currency detail": fields and types. */
export const detail = {
  code: 'string',
  name: 'string',
  enable: 'boolean',
  network: 'string',
  smart_contract: 'string or null',
  network_precision: 'integer',
  extra_id_exists: 'boolean',
} as const

/** Compatibility, section 3: the known name of each network. */
export const networkWords = {
  usdttrc20: 'trx',
  trx: 'trx',
  usdc: 'eth',
  eth: 'eth',
  usdtbsc: 'bsc',
  btc: 'btc',
  bnbbsc: 'bsc',
  sol: 'sol',
} as const
