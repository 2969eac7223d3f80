import { Type } from 'typebox'
import { networks } from '../../../domain/chains/networks.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { deliveriesAbout } from '../../../outbox/queries.ts'
import { readMerchant } from '../../../services/gateway/admin/merchant.ts'
import { theMerchant } from '../../../services/gateway/admin/platform.ts'
import { paymentStandings } from '../../../services/gateway/payments/payments.ts'
import { balancesOf, latestEntries } from '../../../services/gateway/queries/ledger.ts'
import { paymentIds, paymentOf, paymentsWith } from '../../../services/gateway/queries/payments.ts'
import { batchOf, payoutsOf, whitelistOf } from '../../../services/gateway/queries/payouts.ts'
import { mailsTo } from '../../../services/gateway/queries/subscriptions.ts'
import { readRates } from '../../../services/gateway/rates/rates.ts'
import { listDeposits, paymentsAtAddressOf } from '../../../services/gateway/simulator/chain-control.ts'
import { gatewayEnvironment, maybeText, payment, text } from '../actions/fields.ts'
import { deliveryRow } from './callbacks.ts'
import { maxRows, upTo, view } from './view.ts'

const merchant = text('Merchant', { maxLength: 40 })
const momentText = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const newest = { isDescending: true, limit: maxRows + 1, offset: 0 } as const

const paymentViews = {
  'gateway.payments': view(Type.Object({ merchant }), ({ world }, { merchant: id }) =>
    world.store.read(async (reader) => {
      const { id: owner } = await theMerchant(reader, id)
      const ids = upTo(await paymentIds(reader, { merchant: owner }, { column: 'id', ...newest }))
      return {
        payments: (await paymentsWith(reader, ids.rows)).map((row) => ({
          payment: String(row.id),
          status: row.status,
          price: `${row.price_amount} ${row.price_currency}`,
          due: row.pay_amount,
          paid: row.actually_paid,
          coin: row.pay_currency,
          order: row.order_id,
          parent: row.parent_id === null ? null : String(row.parent_id),
          createdAt: momentText(row.created_at),
          updatedAt: momentText(row.updated_at),
        })),
        more: ids.more,
      }
    }),
  ),
  'gateway.payment': view(Type.Object({ payment }), async ({ world: { gateway, store } }, { payment: id }) => {
    const ids = await paymentsAtAddressOf(gateway, Number(id))
    const { row, callbacks } = await store.read(async (reader) => {
      const found = await paymentOf(reader, Number(id))
      return { row: found, callbacks: found ? await deliveriesAbout(reader, found.merchant, id) : [] }
    })
    const base = row?.environment === 'sandbox' ? '/sandbox' : ''
    return {
      payment: id,
      environment: row?.environment ?? 'production',
      page: row ? `${base}/pay/${row.page_token}` : null,
      createdAt: momentText(row?.created_at ?? null),
      validUntil: momentText(row?.valid_until ?? null),
      quoteUntil: momentText(row?.quote_until ?? null),
      needed: row ? networks[row.network].confirmations : 0,
      network: row?.network ?? null,
      standings: await paymentStandings(gateway, ids),
      deposits: await listDeposits(gateway, Number(id)),
      callbacks: callbacks.slice(-maxRows).map(deliveryRow),
    }
  }),
}

const moneyViews = {
  'gateway.payouts': view(Type.Object({ merchant }), async ({ world }, { merchant: id }) => {
    return world.store.read(async (reader) => {
      const { id: owner } = await theMerchant(reader, id)
      const whitelist = (await whitelistOf(reader, owner)).map(({ coin, address }) => ({ coin, address }))
      const found = upTo(await payoutsOf(reader, { merchant: owner }, 'id', newest))
      const batches = new Map<string, Awaited<ReturnType<typeof batchOf>>>()
      for (const name of new Set(found.rows.map((row) => row.batch))) batches.set(name, await batchOf(reader, name))
      return {
        whitelist,
        payouts: found.rows.map((row) => {
          const batch = batches.get(row.batch)
          return {
            payout: row.id,
            batch: row.batch,
            status: row.status,
            amount: row.amount,
            fee: row.fee,
            coin: row.currency,
            address: row.address,
            error: row.error,
            needsApproval: batch?.needs_approval === 1,
            isVerified: batch?.verified_at !== null && batch !== undefined,
            createdAt: momentText(row.created_at),
          }
        }),
        more: found.more,
      }
    })
  }),
  'gateway.balances': view(
    Type.Object({ merchant, account: maybeText('Account') }),
    async ({ world }, { merchant: id, account: given }) => {
      const { merchant: row, whitelist, coins } = await readMerchant(world.gateway, id)
      return world.store.read(async (reader) => {
        const accounts = (await balancesOf(reader, row.id)).map(({ account, kind, currency, units }) => ({
          account,
          kind,
          currency,
          amount: amountText(BigInt(units), currency),
        }))
        const shown = accounts.find(({ account }) => account === given) ?? accounts[0]
        const entries = shown === undefined ? [] : await latestEntries(reader, shown.account, maxRows)
        return {
          name: row.name,
          ipnUrl: row.ipn_url,
          coins,
          whitelist,
          accounts,
          account: shown?.account ?? null,
          entries: entries.map((entry) => ({
            posting: entry.posting,
            ref: entry.ref,
            amount: amountText(BigInt(entry.units), shown?.currency ?? ''),
            at: momentText(entry.at),
          })),
        }
      })
    },
  ),
  'gateway.rates': view(Type.Object({}), async ({ world: { gateway } }) => {
    const { table, maxAgeMs, isFresh, set } = await readRates(gateway)
    return {
      asOf: momentText(table.asOf),
      maxAgeSeconds: maxAgeMs === undefined ? null : Math.floor(maxAgeMs / 1000),
      tradable: isFresh,
      prices: [...new Set([...Object.keys(table.usd), ...set])].map((asset) => ({
        asset,
        usd: table.usd[asset] ?? null,
        setByHand: set.includes(asset),
      })),
    }
  }),
  mails: view(Type.Object({ environment: gatewayEnvironment }), ({ world }, { environment }) =>
    world.store.read(async (reader) => {
      const found = upTo(await mailsTo(reader, environment, undefined, maxRows + 1))
      return {
        mails: found.rows.map((row) => ({
          id: row.id,
          to: row.recipient,
          subject: row.subject,
          body: row.body,
          at: momentText(row.created_at),
        })),
        more: found.more,
      }
    }),
  ),
}

export const gatewayViews = { ...paymentViews, ...moneyViews }
