/** The ten networks money comes and goes on (2-payment-gateway-api, "What the service does"). */

/** The two worlds of the gateway: mainnets and testnets, with accounts and keys of their own. */
export const gatewayEnvironments = ['production', 'sandbox'] as const
export type GatewayEnvironment = (typeof gatewayEnvironments)[number]

export type AddressForm = 'evm' | 'tron' | 'solana' | 'bitcoin'

/** What the gateway must know of a network to watch it and to pay on it. */
export interface Network {
  readonly name: string
  readonly testnet: string
  readonly form: AddressForm
  /** The code of the coin that fees are paid in. */
  readonly nativeCoin: string
  /** How long a block takes. */
  readonly blockMs: number
  /** From how many confirmations on a deposit counts: deep enough that a reorganisation does not reach it. */
  readonly confirmations: number
  /** What one transfer costs, in the native coin. A fixed figure: nobody bids for space on a simulated chain. */
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

/** Where every simulated chain begins: its block 0. */
export const genesisAt = Date.UTC(2020, 0, 1)

/** The newest block of a network at a moment: the clock makes the blocks. */
export function heightAt(code: NetworkCode, at: number): number {
  return Math.max(0, Math.floor((at - genesisAt) / networks[code].blockMs))
}

/** When a block is made. */
export function blockAt(code: NetworkCode, height: number): number {
  return genesisAt + height * networks[code].blockMs
}

/** How often a block at that height is confirmed when the newest is `height`; its own counts as the first. */
export function confirmationsOf(block: number, height: number): number {
  return Math.max(0, height - block + 1)
}

/** When a block has the confirmations its network asks for. */
export function confirmedAt(code: NetworkCode, block: number): number {
  return blockAt(code, block + networks[code].confirmations - 1)
}
