/** Names of the included scenarios; apart from their texts, because completion must start fast. */
export const scenarioNames = ['normal-day', 'month-end', 'worst-day', 'correction-chargeback', 'busy-chat'] as const
