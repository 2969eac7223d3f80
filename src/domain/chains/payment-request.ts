import { formatUnits } from '../money.ts'
import { type Coin, contractOf } from './coins.ts'
import { type GatewayEnvironment, type NetworkCode, networks } from './networks.ts'

/** Payment requests that wallet apps read from a link or a QR code. */

export interface PaymentRequest {
  /** Content of the QR code: a URI with the amount, or the bare address. */
  readonly qr: string
  /** Link that opens a wallet app; null without a scheme that names the coin and the amount. */
  readonly link: string | null
}

/** Chain IDs of the EVM networks (EIP-155), as registered for each mainnet and testnet. */
const chainIds: Readonly<Partial<Record<NetworkCode, Readonly<Record<GatewayEnvironment, number>>>>> = {
  eth: { production: 1, sandbox: 11155111 },
  bsc: { production: 56, sandbox: 97 },
  matic: { production: 137, sandbox: 80002 },
  avaxc: { production: 43114, sandbox: 43113 },
  arbitrum: { production: 42161, sandbox: 421614 },
  base: { production: 8453, sandbox: 84532 },
  op: { production: 10, sandbox: 11155420 },
}

/** Returns the request for an amount of a coin, in the coin's own units. */
export function paymentRequest(
  coin: Coin,
  environment: GatewayEnvironment,
  address: string,
  units: bigint,
): PaymentRequest {
  const contract = contractOf(coin, environment)
  const amount = formatUnits(units, coin.decimals)
  switch (networks[coin.network].form) {
    case 'bitcoin':
      return both(`bitcoin:${address}?amount=${amount}`)
    case 'evm':
      return both(evmUri(chainIds[coin.network]?.[environment], address, contract, units))
    case 'solana':
      return both(`solana:${address}?amount=${amount}${contract === null ? '' : `&spl-token=${contract}`}`)
    case 'tron':
      // Scanners of TRON wallets expect the bare address; no parameter of the scheme names a token.
      return { qr: address, link: contract === null ? `tron:${address}?amount=${amount}` : null }
  }
}

const both = (uri: string): PaymentRequest => ({ qr: uri, link: uri })

/** Returns an EIP-681 request: whole units without an exponent, which wallets read more reliably than the scientific form. */
function evmUri(chainId: number | undefined, address: string, contract: string | null, units: bigint): string {
  const chain = chainId === undefined ? '' : `@${chainId}`
  if (contract === null) return `ethereum:${address}${chain}?value=${units}`
  return `ethereum:${contract}${chain}/transfer?address=${address}&uint256=${units}`
}
