import type { Room, Session, StoredState } from '../context.ts'

/** The customer's room as this tab knows it. The browser's tabs share it through the session's stored state. */
export class CurrentRoom {
  readonly #session: Session
  token: string | undefined
  state: Room | undefined
  /** True if the token may be used. */
  isProven: boolean
  /** Called after this tab has changed to another room, or left its room. */
  onMove = () => {}

  constructor(session: Session) {
    this.#session = session
    const { token, roomId } = session.load()
    this.token = token
    this.state = roomId ? { roomId } : undefined
    this.isProven = this.hasProof()
  }

  get id(): string | undefined {
    return this.state?.roomId
  }

  /** Returns whether the visitor is anonymous, or the token was issued for the current signature. */
  hasProof(): boolean {
    const { account, identity } = this.#session.customer
    return !account || !!(this.token && this.#session.load().proofs?.includes(identity || ''))
  }

  /** Adopts the room and token that another tab has stored, or that neither exists anymore. */
  adopt(state: StoredState = this.#session.load()): void {
    this.token = state.token
    if (state.roomId === this.id) return
    this.state = state.roomId ? { roomId: state.roomId } : undefined
    this.onMove()
  }

  /** Drops a token that the server refused, unless another tab has already stored a different one. */
  dropToken(refused: string | undefined): void {
    if (this.#session.load().token === refused) {
      this.#session.save({ token: undefined, roomId: undefined, proofs: [] })
      this.isProven = !this.#session.customer.account
    }
    this.adopt()
  }
}
