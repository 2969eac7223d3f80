import type { Phase } from './view-model.ts'

/** Texts of the hosted pages in one language. Names in braces are placeholders; every language has the same ones. */
export interface Strings {
  readonly sandbox: string
  readonly footer: string
  readonly language: string
  readonly order: string
  readonly payment: string
  readonly amount: string
  readonly network: string
  readonly received: string
  readonly confirmations: string
  readonly qr: string
  readonly send: string
  readonly to: string
  readonly copy: string
  readonly copied: string
  readonly selected: string
  readonly copyAmount: string
  readonly copyAddress: string
  /** `{coin}` on `{network}`. */
  readonly only: string
  readonly lost: string
  /** `{time}` is a countdown. */
  readonly holds: string
  readonly ends: string
  /** `{date}` is the end, `{time}` a countdown to it. */
  readonly open: string
  readonly wallet: string
  readonly back: string
  readonly cancel: string
  readonly another: string
  /** Shown without JavaScript: what to do instead of waiting for an update. */
  readonly still: string
  readonly again: string
  readonly choose: string
  readonly chooseText: string
  /** `{price}` */
  readonly pay: string
  /** Title of the page, with `{title}` and `{price}`. */
  readonly titled: string
  /** `{amount}` */
  readonly smallest: string
  readonly largest: string
  readonly noPrice: string
  readonly notNow: string
  readonly refused: string
  readonly chooseAgain: string
  readonly rate: string
  readonly price: string
  readonly number: string
  readonly receipt: string
  readonly transaction: string
  readonly date: string
  readonly print: string
  readonly sentBack: string
  readonly search: string
  readonly none: string
  /** `{amount}` */
  readonly fee: string
  /** `{time}` is a duration. */
  readonly speed: string
  readonly nothing: PageMessage
  /** Shown while less than the amount due was detected: `{paid}`, `{amount}`, `{done}` and `{needed}`. */
  readonly partSeen: PageMessage
  /**
   * `partly` has `{amount}`, `seen` has `{done}` and `{needed}`, `late` has `{paid}`. `expired`, `late` and `failed`
   * have `{shop}` and `{id}`.
   */
  readonly phases: Readonly<Record<Phase, PageMessage>>
  readonly refund: RefundStrings
}

/** Texts of the page on which a customer names the address of a refund. */
export interface RefundStrings {
  /** Shown on the payment page. `{shop}` */
  readonly open: string
  /** `{shop}`, `{amount}`, `{sends}` */
  readonly ask: PageMessage
  /** `{coin}`, `{network}` */
  readonly address: string
  readonly hint: string
  readonly next: string
  readonly invalid: string
  /** `{sends}` */
  readonly confirm: PageMessage
  readonly send: string
  readonly change: string
  /** `{shop}` */
  readonly refused: string
  readonly later: string
  /** `{sends}` */
  readonly sent: PageMessage
  readonly done: PageMessage
  /** `{shop}`, `{id}` */
  readonly failed: PageMessage
  readonly receipt: string
}

export interface PageMessage {
  readonly title: string
  readonly text: string
}

/** Returns a text with its placeholders filled in. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
