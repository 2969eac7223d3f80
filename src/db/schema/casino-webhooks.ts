/** Where a tenant wants to be told of what, beside the casino's other tables. */
export interface CasinoWebhookTables {
  casino_webhooks: WebhookRow
}

export interface WebhookRow {
  /** The tenant's code; the sandbox has a row of its own. */
  tenant: string
  url: string | null
  /** JSON list of the events selected. */
  events: string
  enabled: number
  /** `whs_` and 32 letters and digits, made when it is first enabled. Kept readable: every message is signed with it. */
  secret: string | null
  /** Who is written to about bills; without one nobody is warned of a low balance. */
  billing_contact: string | null
  /** A balance that lasts for fewer days than this is low. */
  alert_days: number
  /** The charged day after which the balance was last looked at. */
  alert_checked: string | null
  /** The UTC day of the last warning. */
  alerted_on: string | null
  changed_at: number
}
