import type { scenarioNames } from './names.ts'

/** Scenarios that ship, as the text of their files. */
export const shippedScenarios: Readonly<Record<string, string>> = {
  'normal-day': `
name: normal-day
summary: A day with deposits, play at every table, payments, a question to the chat, and withdrawals
steps:
  - deposit: { user: nora, amount: 500 }
  - deposit: { user: omar, amount: 250 }
  - play: { rounds: 40, players: 4 }
  - payment: { order: subscription, price: 49.90 }
  - payment: { order: top-up, price: 120, coin: eth }
  - chat: { customer: nora, messages: 2, answer-every: 1 }
  - withdraw: { user: omar, amount: 50 }
  - advance: { by: 26h }
  - check: { that: balance-change, of: nora, is: "500" }
  - check: { that: balance-change, of: omar, is: "200" }
  - check: { that: payment, of: subscription, is: finished }
  - check: { that: payment, of: top-up, is: finished }
  - check: { that: slips, at-least: 100 }
  - check: { that: failed-callbacks, is: 0 }
  - check: { that: invariants, is: pass }
`,
  'month-end': `
name: month-end
summary: Forty days of play with corrections, the turn of a month on the way, and its statement
steps:
  - play: { rounds: 120, players: 4, days: 20, corrected: 300, voided: 100 }
  - payment: { order: invoice-1, price: 900 }
  - advance: { by: 20d }
  - play: { rounds: 60, players: 4, days: 10 }
  - payment: { order: invoice-2, price: 300, share: 50 }
  - advance: { by: 2h }
  - check: { that: payment, of: invoice-2, is: partially_paid }
  - advance: { by: 20d }
  - check: { that: slips, at-least: 300 }
  - check: { that: payment, of: invoice-1, is: finished }
  - check: { that: payment, of: invoice-2, is: expired }
  - check: { that: statements, at-least: 1 }
  - check: { that: statement, is: balanced }
  - check: { that: invariants, is: pass }
`,
  'worst-day': `
name: worst-day
summary: Lost responses, overload, and callbacks that are lost, late and sent twice, while money moves
steps:
  - receive-callbacks: {}
  - fault: { kind: cut-after, service: casino, endpoint: deposit, times: 2 }
  - fault: { kind: status, status: 503, service: casino, every: 2 }
  - fault: { kind: status, status: 429, retry-after: 1, service: gateway, every: 2 }
  - fault: { kind: lose, endpoint: finished, times: 1 }
  - fault: { kind: double, every: 2 }
  - fault: { kind: delay, every: 2, for: 30m }
  - deposit: { user: wanda, amount: 100 }
  - deposit: { user: wanda, amount: 60 }
  - withdraw: { user: wanda, amount: 25 }
  - play: { rounds: 20, players: 4, corrected: 1000, voided: 500 }
  - payment: { order: stormy, price: 75 }
  - payment: { order: half, price: 80, share: 50 }
  - chat: { customer: wanda, messages: 3, answer-every: 3 }
  - advance: { by: 24h }
  - check: { that: fault-hits, of: cut-after, is: 2 }
  - check: { that: fault-hits, of: status, at-least: 2 }
  - check: { that: fault-hits, of: lose, is: 1 }
  - check: { that: fault-hits, of: double, at-least: 1 }
  - check: { that: fault-hits, of: delay, at-least: 1 }
  - clear-faults: {}
  - check: { that: balance-change, of: wanda, is: "135" }
  - check: { that: payment, of: stormy, is: finished }
  - check: { that: callbacks, of: stormy, at-least: 1 }
  - check: { that: callbacks, of: stormy/finished, is: 0 }
  - advance: { by: 7d }
  - check: { that: payment, of: half, is: expired }
  - check: { that: callbacks, of: half/expired, is: 1 }
  - check: { that: failed-callbacks, is: 0 }
  - check: { that: invariants, is: pass }
`,
  'correction-chargeback': `
name: correction-chargeback
summary: Results that are corrected and voided after they were paid, so that balances go back
steps:
  - play: { rounds: 30, players: 4 }
  - play: { rounds: 40, players: 4, corrected: 5000, voided: 2000 }
  - advance: { by: 2h }
  - play: { rounds: 20, players: 4, corrected: 5000 }
  - advance: { by: 50h }
  - check: { that: corrected, at-least: 20 }
  - check: { that: voided, at-least: 1 }
  - check: { that: invariants, is: pass }
`,
  'busy-chat': `
name: busy-chat
summary: Many customers write at once, an agent answers, and the platform is slow now and then
steps:
  - fault: { kind: status, status: 503, service: chat, every: 20 }
  - chat: { customer: ada, messages: 12, answer-every: 3 }
  - chat: { customer: ben, messages: 8, answer-every: 4 }
  - chat: { customer: cleo, messages: 20, answer-every: 5 }
  - chat: { customer: dov, messages: 5, answer-every: 1 }
  - chat: { customer: eve, messages: 15 }
  - chat: { customer: ada, messages: 6, answer-every: 2 }
  - clear-faults: {}
  - check: { that: fault-hits, of: status, at-least: 3 }
  - check: { that: messages, is: 84 }
  - check: { that: invariants, is: pass }
`,
} satisfies Record<(typeof scenarioNames)[number], string>
