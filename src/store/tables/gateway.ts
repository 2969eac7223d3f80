/** The payment gateway's tables, all beginning with `gateway_`. */
export type GatewayTables = Record<never, never>
