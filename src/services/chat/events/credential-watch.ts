import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { roomEpochs } from '../queries/rooms.ts'
import { chatTenantOf, workingKeyIds } from '../queries/tenants.ts'
import type { ChatCore } from '../service.ts'
import type { CloseReason, WatchedCredential } from './watched-credential.ts'

type TenantCode = ChatTenantRow['code']

/** Ends streams whose key, token or room access was revoked or has expired. */
export class CredentialWatch {
  readonly #app: ChatCore
  readonly #credentials = new Map<WatchedCredential, TenantCode>()
  /** Credentials whose room token was not checked yet. */
  readonly #unchecked = new Set<WatchedCredential>()
  /** Revocation count of each tenant at the last check of its room tokens. */
  readonly #revocations = new Map<TenantCode, number>()

  constructor(app: ChatCore) {
    this.#app = app
  }

  get size(): number {
    return this.#credentials.size
  }

  sizeOf(tenant: string): number {
    return [...this.#credentials.values()].filter((code) => code === tenant).length
  }

  add(credential: WatchedCredential, tenant: TenantCode): void {
    this.#credentials.set(credential, tenant)
    this.#unchecked.add(credential)
  }

  delete(credential: WatchedCredential): void {
    this.#credentials.delete(credential)
    this.#unchecked.delete(credential)
  }

  /** Ends all streams. */
  leaveAll(reason: CloseReason): void {
    for (const credential of this.#credentials.keys()) credential.leave(reason)
    this.#credentials.clear()
  }

  /** Checks all streams once. */
  async check(): Promise<void> {
    const now = this.#app.machineNow()
    for (const credential of this.#credentials.keys())
      if ((credential.expiresAt ?? Infinity) <= now) credential.leave('tokenExpired')
    try {
      for (const [code, held] of Map.groupBy(this.#credentials, ([, of]) => of))
        await this.#checkTenant(
          code,
          held.map(([credential]) => credential),
        )
    } catch (error) {
      this.#app.log.warn({ error: String(error) }, 'Cannot check the keys of streams')
    }
  }

  async #checkTenant(code: TenantCode, credentials: readonly WatchedCredential[]): Promise<void> {
    const { tenant, working, epochs } = await this.#app.store.read(async (reader) => {
      const tenant = await chatTenantOf(reader, code)
      const isUnchanged = this.#revocations.get(code) === tenant?.revocations
      const due = credentials.filter((credential) => !isUnchanged || this.#unchecked.has(credential))
      const working = new Set(await workingKeyIds(reader, code))
      return {
        tenant,
        working,
        epochs: await roomEpochs(
          reader,
          due.flatMap(({ roomId }) => roomId ?? []),
        ),
      }
    })
    for (const credential of credentials) {
      const { tenantKey, keyId, roomId, roomEpoch } = credential
      const epoch = epochs.get(roomId ?? '')
      if (tenantKey !== undefined && tenantKey !== tenant?.tenant_key) credential.leave('keyRotated')
      else if (keyId !== undefined && !working.has(keyId)) credential.leave('keyRevoked')
      else if (epoch !== undefined && epoch !== roomEpoch) credential.leave('keyRevoked')
      this.#unchecked.delete(credential)
    }
    if (tenant) this.#revocations.set(code, tenant.revocations)
  }
}
