import assert from 'node:assert/strict'
import { createECDH, createHash, createHmac, ECDH } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { type GatewayEnvironment, gatewayEnvironments, type NetworkCode, networkCodes, networks } from './networks.ts'

/** Addresses of all ten networks: derived from one seed and validated by each network's checksum. */

const base58check = createBase58check((bytes: Uint8Array) => Uint8Array.from(sha256(bytes)))

/** Curve of the keys of EVM networks, TRON and Bitcoin. */
const curve = 'secp256k1'

const bitcoinForms = {
  production: { hrp: 'bc', legacy: 0x00, script: 0x05, coinType: 0 },
  sandbox: { hrp: 'tb', legacy: 0x6f, script: 0xc4, coinType: 1 },
} as const

/** First byte of every TRON address, on mainnet and Nile. */
const tronPrefix = 0x41

/**
 * Returns the deposit address with that number. Each network has its own account, so that no two networks share an
 * address. A coin sent on the wrong chain can then be distinguished.
 */
export function depositAddress(
  seed: Uint8Array,
  environment: GatewayEnvironment,
  network: NetworkCode,
  index: number,
): string {
  switch (networks[network].form) {
    case 'evm':
      return evmAddress(publicKeyAt(seed, `m/44'/60'/${networkCodes.indexOf(network)}'/0`, index))
    case 'tron':
      return tronAddress(publicKeyAt(seed, `m/44'/195'/0'/0`, index))
    case 'bitcoin': {
      const { hrp, coinType } = bitcoinForms[environment]
      return segwitAddress(publicKeyAt(seed, `m/84'/${coinType}'/0'/0`, index), hrp)
    }
    case 'solana':
      return addressOfKey(slip10(seed, [44, 501, index, 0]), environment, network)
  }
}

/** Returns the address of a private key of 32 bytes: another wallet, which has one address only. */
export function addressOfKey(key: Uint8Array, environment: GatewayEnvironment, network: NetworkCode): string {
  switch (networks[network].form) {
    case 'evm':
      return evmAddress(publicKeyOf(key))
    case 'tron':
      return tronAddress(publicKeyOf(key))
    case 'bitcoin':
      return segwitAddress(publicKeyOf(key), bitcoinForms[environment].hrp)
    case 'solana':
      return base58.encode(ed25519.getPublicKey(key))
  }
}

/** Returns whether a text is an address of the network and environment, with a valid checksum. */
export function isAddress(environment: GatewayEnvironment, network: NetworkCode, text: string): boolean {
  switch (networks[network].form) {
    case 'evm':
      return isEvmAddress(text)
    case 'tron':
      return isTronAddress(text)
    case 'bitcoin':
      return isBitcoinAddress(environment, text)
    case 'solana':
      return isSolanaAddress(text)
  }
}

/**
 * Returns the normalized spelling of an address, for comparing. In EVM addresses case is only a checksum; in bech32 it
 * has no meaning.
 */
export function sameAddressForm(network: NetworkCode, text: string): string {
  if (networks[network].form === 'evm') return checksummed(text.slice(2).toLowerCase())
  return networks[network].form === 'bitcoin' && /^(bc|tb)1/i.test(text) ? text.toLowerCase() : text
}

/** Returns the normalized spelling of an address of unknown network. No form is valid on two networks. */
export function oneSpelling(text: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return sameAddressForm('eth', text)
  return sameAddressForm('btc', text)
}

/** Returns whether a text is an address of any network, in either environment. */
export function isAddressSomewhere(text: string): boolean {
  return gatewayEnvironments.some((environment) =>
    networkCodes.some((network) => isAddress(environment, network, text)),
  )
}

/** Returns a pattern for wallets to check a typed address with. Checksums are checked by us. */
export function addressPattern(environment: GatewayEnvironment, network: NetworkCode): string {
  switch (networks[network].form) {
    case 'evm':
      return '^0x[0-9A-Fa-f]{40}$'
    case 'tron':
      return '^T[1-9A-HJ-NP-Za-km-z]{33}$'
    case 'bitcoin':
      return environment === 'production'
        ? '^([13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{8,87})$'
        : '^([mn2][1-9A-HJ-NP-Za-km-z]{25,34}|tb1[02-9ac-hj-np-z]{8,87})$'
    case 'solana':
      return '^[1-9A-HJ-NP-Za-km-z]{32,44}$'
  }
}

/** Cache of account keys: five derivation steps from the seed. Each address is one step more. */
const accounts = new Map<string, HDKey>()
/** Enough for every network of both environments. */
const maxAccounts = 32

function publicKeyAt(seed: Uint8Array, path: string, index: number): Uint8Array {
  const name = `${Buffer.from(seed).toString('hex')} ${path}`
  const known = accounts.get(name)
  const account = known ?? HDKey.fromMasterSeed(seed).derive(path)
  if (!known && accounts.size >= maxAccounts) accounts.clear()
  accounts.set(name, account)
  const key = account.deriveChild(index).publicKey
  assert(key, `the seed has no key at ${path}/${index}`)
  return key
}

/** Returns the compressed public key of a private key. */
function publicKeyOf(key: Uint8Array): Uint8Array {
  // Computed by Node: the library first computes tables for many keys, which takes as long as 50 keys here.
  const pair = createECDH(curve)
  pair.setPrivateKey(key)
  return pair.getPublicKey(null, 'compressed')
}

// ── EVM networks, TRON ──

function accountBytes(publicKey: Uint8Array): Uint8Array {
  const point = Buffer.from(ECDH.convertKey(publicKey, curve, undefined, undefined, 'uncompressed'))
  return keccak_256(point.subarray(1)).subarray(12)
}

function evmAddress(publicKey: Uint8Array): string {
  return checksummed(Buffer.from(accountBytes(publicKey)).toString('hex'))
}

/** Applies the EIP-55 checksum: the case of each letter encodes a bit of the address hash. */
function checksummed(lowerHex: string): string {
  const hash = keccak_256(Buffer.from(lowerHex, 'ascii'))
  const mixed = [...lowerHex].map((char, i) => {
    const byte = hash[i >> 1] ?? 0
    const nibble = i % 2 === 0 ? byte >> 4 : byte & 15
    return nibble >= 8 ? char.toUpperCase() : char
  })
  return `0x${mixed.join('')}`
}

function isEvmAddress(text: string): boolean {
  const hex = /^0x([0-9A-Fa-f]{40})$/.exec(text)?.[1]
  if (hex === undefined) return false
  // An address in a single case has no checksum; wallets accept it, and so do we.
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return true
  return text === checksummed(hex.toLowerCase())
}

function tronAddress(publicKey: Uint8Array): string {
  return base58check.encode(Uint8Array.from([tronPrefix, ...accountBytes(publicKey)]))
}

function isTronAddress(text: string): boolean {
  const bytes = decoded(() => base58check.decode(text))
  return bytes?.length === 21 && bytes[0] === tronPrefix
}

// ── Bitcoin ──

function segwitAddress(publicKey: Uint8Array, hrp: string): string {
  return bech32.encode(hrp, [0, ...bech32.toWords(ripemd160(sha256(publicKey)))])
}

function isBitcoinAddress(environment: GatewayEnvironment, text: string): boolean {
  const { hrp, legacy, script } = bitcoinForms[environment]
  if (text.toLowerCase().startsWith(`${hrp}1`)) return isSegwit(text, hrp)
  const bytes = decoded(() => base58check.decode(text))
  return bytes?.length === 21 && (bytes[0] === legacy || bytes[0] === script)
}

/** BIP-173 for version 0, BIP-350 for later ones: they have different checksum constants. */
function isSegwit(text: string, hrp: string): boolean {
  for (const [form, isVersion] of [
    [bech32, (version: number) => version === 0],
    [bech32m, (version: number) => version >= 1 && version <= 16],
  ] as const) {
    const address = decoded(() => form.decode(text as `${string}1${string}`, 90))
    if (!address || address.prefix !== hrp) continue
    const [version = -1, ...words] = address.words
    const program = decoded(() => form.fromWords(words))
    if (!program || !isVersion(version)) return false
    return version === 0 ? program.length === 20 || program.length === 32 : program.length >= 2 && program.length <= 40
  }
  return false
}

// ── Solana ──

/** Checks that the bytes are a point on the curve. Solana addresses have no checksum. */
function isSolanaAddress(text: string): boolean {
  const bytes = decoded(() => base58.decode(text))
  return bytes?.length === 32 && decoded(() => ed25519.Point.fromBytes(bytes)) !== undefined
}

/** Derives a SLIP-0010 key for ed25519; every step is hardened. */
function slip10(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const step of path) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(0x80000000 + step)
    node = createHmac('sha512', node.subarray(32))
      .update(Buffer.concat([Buffer.from([0]), node.subarray(0, 32), index]))
      .digest()
  }
  return node.subarray(0, 32)
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

/** Returns the decoded value, or undefined when the library throws. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
