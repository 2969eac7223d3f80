import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { roomEpochs } from '../queries/rooms.ts'
import { chatTenantOf, workingKeyIds } from '../queries/tenants.ts'
import type { ChatCore } from '../service.ts'
import type { CloseReason, Guard } from './guard.ts'

type TenantCode = ChatTenantRow['code']

/** Ends streams whose key, token or room access was revoked or has expired. */
export class CredentialWatch {
  readonly #app: ChatCore
  readonly #guards = new Map<Guard, TenantCode>()
  /** Subscriptions whose room token was not checked yet. */
  readonly #unchecked = new Set<Guard>()
  /** The revocation count of a tenant when all its room tokens were checked last. */
  readonly #revocations = new Map<TenantCode, number>()

  constructor(app: ChatCore) {
    this.#app = app
  }

  get size(): number {
    return this.#guards.size
  }

  sizeOf(tenant: string): number {
    return [...this.#guards.values()].filter((code) => code === tenant).length
  }

  add(guard: Guard, tenant: TenantCode): void {
    this.#guards.set(guard, tenant)
    this.#unchecked.add(guard)
  }

  delete(guard: Guard): void {
    this.#guards.delete(guard)
    this.#unchecked.delete(guard)
  }

  /** Ends all streams. */
  leaveAll(reason: CloseReason): void {
    for (const guard of this.#guards.keys()) guard.leave(reason)
    this.#guards.clear()
  }

  /** Checks all streams once. */
  async check(): Promise<void> {
    const now = this.#app.machineNow()
    for (const guard of this.#guards.keys()) if ((guard.expiresAt ?? Infinity) <= now) guard.leave('tokenExpired')
    try {
      for (const [code, held] of Map.groupBy(this.#guards, ([, of]) => of))
        await this.#checkTenant(
          code,
          held.map(([guard]) => guard),
        )
    } catch (error) {
      this.#app.log.warn({ error: String(error) }, 'Cannot check the keys of streams')
    }
  }

  async #checkTenant(code: TenantCode, guards: readonly Guard[]): Promise<void> {
    const { tenant, working, epochs } = await this.#app.store.read(async (reader) => {
      const tenant = await chatTenantOf(reader, code)
      const isUnchanged = this.#revocations.get(code) === tenant?.revocations
      const due = guards.filter((guard) => !isUnchanged || this.#unchecked.has(guard))
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
    for (const guard of guards) {
      const { tenantKey, keyId, roomId, roomEpoch } = guard
      const epoch = epochs.get(roomId ?? '')
      if (tenantKey !== undefined && tenantKey !== tenant?.tenant_key) guard.leave('keyRotated')
      else if (keyId !== undefined && !working.has(keyId)) guard.leave('keyRevoked')
      else if (epoch !== undefined && epoch !== roomEpoch) guard.leave('keyRevoked')
      this.#unchecked.delete(guard)
    }
    if (tenant) this.#revocations.set(code, tenant.revocations)
  }
}
