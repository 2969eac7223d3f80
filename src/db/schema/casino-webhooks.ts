/** Webhook settings of tenants. */
export interface CasinoWebhookTables {
  casino_webhooks: WebhookRow
}

export interface WebhookRow {
  /** Code of the tenant; the sandbox has its own row. */
  tenant: string
  url: string | null
  /** JSON list of the selected events. */
  events: string
  enabled: number
  /**
   * `whs_` and 32 letters and digits, made when it is first enabled. Stored readable, because every delivery is signed
   * with it.
   */
  secret: string | null
  /** Recipient of billing messages; without one there is no warning of a low balance. */
  billing_contact: string | null
  /** Days: a balance that lasts for fewer days is low. */
  alert_days: number
  /** Last charged day for which the balance was checked. */
  alert_checked: string | null
  /** UTC day of the last warning. */
  alerted_on: string | null
  changed_at: number
}
