export type Language = 'en' | 'zh-hant' | 'zh-hans' | 'ja' | 'ko' | 'th' | 'vi' | 'ar'

/** The texts of the widget's conversation in one language. In `writing`, `%` is the name of who is typing. */
export interface Words {
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
}
