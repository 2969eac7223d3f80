/** The ten networks of the gateway (2-payment-gateway-api, "What the service does"). */

/** Environments of the gateway: mainnets and testnets, each with its own accounts and keys. */
export const gatewayEnvironments = ['production', 'sandbox'] as const
export type GatewayEnvironment = (typeof gatewayEnvironments)[number]

export type AddressForm = 'evm' | 'tron' | 'solana' | 'bitcoin'

/** Properties of a network that watching and paying depend on. */
export interface Network {
  readonly name: string
  readonly testnet: string
  readonly form: AddressForm
  /** Code of the coin that pays the fees. */
  readonly nativeCoin: string
  /** Time between blocks. */
  readonly blockMs: number
  /** Confirmations after which a deposit counts: deep enough that no reorganization reaches it. */
  readonly confirmations: number
  /** Fee of one transfer, in the native coin. Fixed: a simulated chain has no fee market. */
  readonly transferFee: string
}

export const networks = {
  eth: evm('Ethereum', 'Sepolia', 'eth', 12_000, 12, '0.0004'),
  bsc: evm('BNB Smart Chain', 'BNB testnet', 'bnbbsc', 3_000, 15, '0.0003'),
  matic: evm('Polygon PoS', 'Amoy', 'maticmainnet', 2_000, 64, '0.01'),
  avaxc: evm('Avalanche C-Chain', 'Fuji', 'avax', 2_000, 12, '0.001'),
  arbitrum: evm('Arbitrum One', 'Arbitrum Sepolia', 'etharb', 1_000, 20, '0.00002'),
  base: evm('Base', 'Base Sepolia', 'ethbase', 2_000, 20, '0.00002'),
  op: evm('OP Mainnet', 'OP Sepolia', 'ethop', 2_000, 20, '0.00002'),
  trx: network('TRON', 'Nile', 'tron', 'trx', 3_000, 19, '7'),
  sol: network('Solana', 'Devnet', 'solana', 'sol', 1_000, 32, '0.00001'),
  btc: network('Bitcoin', 'Testnet4', 'bitcoin', 'btc', 600_000, 2, '0.00002'),
} as const satisfies Record<string, Network>

export type NetworkCode = keyof typeof networks

/** Every network, in the order of the document. */
export const networkCodes = Object.keys(networks) as readonly NetworkCode[]

function network(
  name: string,
  testnet: string,
  form: AddressForm,
  nativeCoin: string,
  blockMs: number,
  confirmations: number,
  transferFee: string,
): Network {
  return { name, testnet, form, nativeCoin, blockMs, confirmations, transferFee }
}

function evm(
  name: string,
  testnet: string,
  nativeCoin: string,
  blockMs: number,
  confirmations: number,
  transferFee: string,
): Network {
  return network(name, testnet, 'evm', nativeCoin, blockMs, confirmations, transferFee)
}

/** Start of every simulated chain: its block 0. */
export const genesisAt = Date.UTC(2020, 0, 1)

/** Returns the height of a network at a moment. Blocks follow from the clock. */
export function heightAt(code: NetworkCode, at: number): number {
  return Math.max(0, Math.floor((at - genesisAt) / networks[code].blockMs))
}

/** Returns when a block is made. */
export function blockAt(code: NetworkCode, height: number): number {
  return genesisAt + height * networks[code].blockMs
}

/** Returns the confirmations of a block when the chain's height is `height`; its own block is the first. */
export function confirmationsOf(block: number, height: number): number {
  return Math.max(0, height - block + 1)
}

/** Returns when a block has the confirmations that its network requires. */
export function confirmedAt(code: NetworkCode, block: number): number {
  return blockAt(code, block + networks[code].confirmations - 1)
}
