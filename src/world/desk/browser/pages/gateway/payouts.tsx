import { commandText } from '../../../actions/command-form.ts'
import { amountText, timeText } from '../../format.ts'
import { useView } from '../../live.ts'
import { useMerchant } from '../../parties.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Card, Loaded, Page, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

const verify = { words: 'payouts verify', args: ['batch'], flags: { profile: 'profile' } } as const

/** Payouts, with the decisions that they wait for. */
export function PayoutsPage({ route }: PageProps) {
  const { id, profile, options } = useMerchant(route)
  const live = useView('gateway.payouts', { merchant: id })
  return (
    <Page title="Payouts" tools={<Select label="Merchant" name="merchant" value={id} options={options} />}>
      <Loaded live={live}>
        {({ payouts, more, whitelist }) => (
          <>
            <Table
              label="Payouts"
              rows={payouts}
              more={more}
              keyOf={({ payout }) => payout}
              empty={
                <>
                  No payouts yet. Create one below, to an address of the whitelist on the page{' '}
                  <a href={linkTo('gateway/balances', { merchant: id })}>Balances</a>.
                </>
              }
              columns={[
                { title: 'Payout', show: ({ payout }) => payout },
                { title: 'Batch', show: ({ batch }) => batch, isMinor: true },
                { title: 'Status', show: ({ status }) => <Status code={status} /> },
                { title: 'Amount', show: ({ amount, coin }) => `${amountText(amount)} ${coin}`, isNumber: true },
                { title: 'Fee', show: ({ fee }) => amountText(fee), isNumber: true, isMinor: true },
                { title: 'Address', show: ({ address }) => <code>{address}</code>, isMinor: true },
                { title: 'Created', show: ({ createdAt }) => timeText(createdAt), isMinor: true },
                {
                  title: 'Actions',
                  show: (row) => (
                    <span class="actions">
                      {row.needsApproval && row.isVerified && (
                        <>
                          <ActionButton name="payout.approve" given={{ batch: row.batch }} />
                          <ActionButton name="payout.reject" given={{ batch: row.batch }} />
                        </>
                      )}
                      {row.status === 'creating' && (
                        <Copyable
                          text={commandText(verify, { batch: row.batch, profile })}
                          name="the command that verifies it"
                        />
                      )}
                      {row.status === 'sending' && <ActionButton name="payout.drop" given={{ payout: row.payout }} />}
                      {row.error && <span class="note">{row.error}</span>}
                    </span>
                  ),
                },
              ]}
            />
            <Card title="Create a payout">
              <ActionForm key={id} name="payout.create" given={{ merchant: id, profile }} initial={target(whitelist)} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Returns the initial fields of a payout: a whitelisted address, preferably of the coin that the demo has most of. */
function target(whitelist: readonly { readonly coin: string; readonly address: string }[]): Record<string, string> {
  const { address, coin } = whitelist.find((entry) => entry.coin === 'usdttrc20') ?? whitelist[0] ?? {}
  return address === undefined || coin === undefined ? {} : { address, coin }
}
