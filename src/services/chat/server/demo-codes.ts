/** The two merchants of the demo world: one on Pro, one on the free plan. */
export const demoChatCode = 'DEMO'
export const demoFreeCode = 'DEMO-FREE'
