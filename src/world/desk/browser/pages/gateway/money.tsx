import { amountText, timeText, words } from '../../format.ts'
import { useView } from '../../live.ts'
import { useMerchant } from '../../parties.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Facts, Loaded, Page, Select, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

/** Balances of a merchant, and the ledger of one of its accounts. */
export function BalancesPage({ route }: PageProps) {
  const { id, options } = useMerchant(route)
  const account = route.query['account']
  const live = useView('gateway.balances', { merchant: id, ...(account === undefined ? {} : { account }) })
  return (
    <Page title="Balances" tools={<Select label="Merchant" name="merchant" value={id} options={options} />}>
      <Loaded live={live}>
        {(data) => (
          <div class="grid">
            <Card title="Accounts">
              <Table
                label="Accounts"
                rows={data.accounts}
                keyOf={(row) => row.account}
                empty="The merchant has no funds yet. Add some with the form Fund."
                columns={[
                  {
                    title: 'Account',
                    show: (row) => (
                      <a
                        href={linkTo('gateway/balances', { merchant: id, account: row.account })}
                        aria-current={row.account === data.account ? 'true' : undefined}
                      >
                        {words(row.kind)}
                      </a>
                    ),
                  },
                  { title: 'Amount', show: (row) => `${amountText(row.amount)} ${row.currency}`, isNumber: true },
                ]}
              />
            </Card>
            <Card title="Fund">
              <ActionForm key={id} name="merchant.fund" given={{ merchant: id }} />
            </Card>
            <Card
              title={
                data.account === null
                  ? 'Ledger'
                  : `Ledger of ${data.account.split('/')[0]} ${data.account.split('/')[2]}`
              }
              class="wide"
            >
              <Table
                label="Ledger"
                rows={data.entries}
                keyOf={({ posting, amount, ref }) => `${posting} ${ref} ${amount}`}
                empty="Nothing was posted to this account."
                columns={[
                  { title: 'Time', show: ({ at }) => timeText(at) },
                  { title: 'Purpose', show: ({ ref }) => ref },
                  { title: 'Amount', show: ({ amount }) => amountText(amount), isNumber: true },
                ]}
              />
            </Card>
            <Card title="Whitelist and coins" class="wide">
              <Facts
                facts={[
                  ['IPN URL', data.ipnUrl ?? 'none'],
                  ['Enabled coins', data.coins.map(({ coin }) => coin).join(', ') || 'all, in custody'],
                  ...data.whitelist.map(({ coin, address }) => [coin, <code key={address}>{address}</code>] as const),
                ]}
              />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Prices of the gateway. */
export function RatesPage() {
  const live = useView('gateway.rates', {})
  return (
    <Page title="Rates">
      <Loaded live={live}>
        {({ asOf, maxAgeSeconds, tradable, prices }) => (
          <div class="beside">
            <Card title="US dollars per unit">
              <Table
                label="Prices"
                rows={prices}
                keyOf={({ asset }) => asset}
                empty="There are no prices."
                columns={[
                  { title: 'Asset', show: ({ asset }) => asset },
                  { title: 'US dollars', show: ({ usd }) => amountText(usd), isNumber: true },
                  { title: 'Set by hand', show: ({ setByHand }) => (setByHand ? 'by hand' : ''), isMinor: true },
                  {
                    title: 'Actions',
                    // Prices are in dollars: that of the dollar cannot be set.
                    show: ({ asset, usd }) =>
                      asset !== 'usd' && (
                        <ActionButton name="rate.set" label="Set" given={{ asset }} initial={{ usd: usd ?? '' }} />
                      ),
                  },
                ]}
              />
            </Card>
            <Card title="Age">
              <Facts
                facts={[
                  ['Prices of', timeText(asOf)],
                  ['Expire', maxAgeSeconds === null ? 'never' : `${maxAgeSeconds} s later`],
                  ['Tradable', tradable ? 'yes' : 'no: requests that need a price fail with RATE_UNAVAILABLE'],
                ]}
              />
              <ActionForm name="rate.age" />
              <ActionForm name="rate.reset" />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
