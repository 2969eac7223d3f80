export type Language =
  | 'en'
  | 'zh-hant'
  | 'zh-hans'
  | 'ja'
  | 'ko'
  | 'th'
  | 'vi'
  | 'ar'
  | 'es'
  | 'pt'
  | 'id'
  | 'hi'
  | 'tr'
  | 'ru'
  | 'de'
  | 'fr'
  | 'it'
  | 'pl'
  | 'ms'
  | 'fil'

/**
 * The texts of the widget in one language. `%` is a placeholder for who is typing, a number, a size, a time, a file or
 * an address.
 */
export interface Strings {
  /** Language tag for dates and numbers. */
  readonly lang: string
  readonly title: string
  readonly close: string
  readonly hint: string
  readonly send: string
  readonly attach: string
  readonly connecting: string
  readonly offline: string
  readonly notSent: string
  readonly sending: string
  readonly notUploaded: string
  readonly earlier: string
  readonly you: string
  readonly support: string
  readonly closed: string
  readonly uploading: string
  readonly updated: string
  readonly writing: string
  readonly newMessage: string
  readonly notIdentified: string
  readonly chat: string
  readonly unread: string
  readonly away: string
  readonly newMessages: string
  readonly sent: string
  readonly delivered: string
  readonly read: string
  readonly closedNow: string
  readonly replyTime: string
  readonly options: string
  readonly yourRating: string
  readonly remove: string
  readonly tooLarge: string
  readonly wrongType: string
  readonly tooMany: string
  readonly emptyFile: string
  readonly previous: string
  readonly next: string
  readonly openFile: string
  readonly sound: string
  readonly transcript: string
  readonly transcriptSent: string
  readonly failed: string
  readonly email: string
  readonly emailHint: string
  readonly emailSaved: string
  readonly emailInvalid: string
  readonly save: string
  readonly rate: string
  readonly star: string
  readonly comment: string
  readonly thanks: string
  readonly tickets: string
  readonly newTicket: string
  readonly noTickets: string
  readonly subject: string
  readonly details: string
  readonly optional: string
  readonly back: string
  readonly reply: string
  readonly missing: string
  readonly invalid: string
  readonly mailSubject: string
}
