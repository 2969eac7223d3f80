import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { coinOf, contractOf } from '../../../domain/chains/coins.ts'
import { parseUnits } from '../../../domain/money.ts'
import { roundedUp } from '../../../domain/payments/amounts.ts'
import { refuse } from '../api/contract.ts'
import { insertSanction } from '../queries/payments.ts'
import type { Gateway } from '../service.ts'
import { payIn } from '../simulator/chains.ts'

/**
 * Simulates a sandbox customer by the `case` of the request: pays all, pays half, pays from a sanctioned address, or
 * (`common`) does nothing. Throws INVALID_REQUEST_PARAMS for another case.
 */
export async function runSandboxCase(app: Gateway, tx: Tx, payment: PaymentRow, caseName: string): Promise<void> {
  const coin = coinOf(payment.pay_currency)
  if (!coin) return
  const due = parseUnits(payment.pay_amount, coin.decimals)
  const pay = (units: bigint, sender: string) =>
    payIn(tx, {
      id: app.id(),
      environment: payment.environment,
      network: payment.network,
      sender,
      recipient: payment.address,
      contract: contractOf(coin, payment.environment),
      units,
    })
  switch (caseName.toLowerCase()) {
    case 'common':
      return
    case 'success':
      await pay(due, 'sandbox-customer')
      return
    case 'partially_paid':
      await pay(roundedUp(due / 2n, coin), 'sandbox-customer')
      return
    case 'failed':
    case 'fail':
      await insertSanction(tx, sanctionedCustomer)
      await pay(due, sanctionedCustomer)
      return
    default:
      throw refuse('INVALID_REQUEST_PARAMS', 'case must be success, failed, partially_paid or common', {
        field: 'case',
      })
  }
}

const sanctionedCustomer = 'sandbox-sanctioned-customer'
