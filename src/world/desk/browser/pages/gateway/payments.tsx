import type { ComponentChildren } from 'preact'
import type { ViewData } from '../../../views/index.ts'
import { amountText, halfOf, timeText, words } from '../../format.ts'
import { useView } from '../../live.ts'
import { useMerchant } from '../../parties.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Empty, Facts, Loaded, Page, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

type Payment = ViewData<'gateway.payment'>

export function PaymentsPage({ route }: PageProps) {
  const { id, environment, profile, options } = useMerchant(route)
  const live = useView('gateway.payments', { merchant: id })
  return (
    <Page
      title="Payments"
      tools={
        <>
          <Select label="Merchant" name="merchant" value={id} options={options} />
          <ActionButton name="payment.create" given={{ merchant: id, profile }} />
          <ActionButton name="chain.block" given={{ environment }} />
          <ActionButton name="address.sanction" />
        </>
      }
    >
      <Loaded live={live}>
        {({ payments, more }) => (
          <Table
            label="Payments"
            rows={payments}
            more={more}
            keyOf={({ payment }) => payment}
            empty="No payments yet. Create one with the button above, then pay it as the customer would."
            columns={[
              {
                title: 'Payment',
                show: ({ payment }) => <a href={linkTo(`gateway/payments/${payment}`, { merchant: id })}>{payment}</a>,
              },
              { title: 'Status', show: ({ status }) => <Status code={status} /> },
              { title: 'Price', show: ({ price }) => price, isNumber: true },
              { title: 'Due', show: ({ due, coin }) => `${amountText(due)} ${coin}`, isNumber: true },
              { title: 'Paid', show: ({ paid }) => amountText(paid), isNumber: true },
              { title: 'Order', show: ({ order }) => order ?? '', isMinor: true },
              { title: 'Created', show: ({ createdAt }) => timeText(createdAt), isMinor: true },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** A payment as a timeline, with all possible next events. */
export function PaymentPage({ route }: PageProps) {
  const payment = route.path.at(-1) ?? ''
  const live = useView('gateway.payment', { payment })
  return (
    <Page title={`Payment ${payment}`} tools={<a href={linkTo('gateway/payments', route.query)}>All payments</a>}>
      <Loaded live={live}>
        {(data) => (
          <div class="grid">
            <Card title="Life line" class="wide">
              <LifeLine data={data} />
            </Card>
            <Standing data={data} />
            <Card title="Pay">
              <ActionForm name="payment.pay" given={{ payment }} />
              <ActionForm name="payment.pay-part" given={{ payment }} initial={{ amount: partOf(data) }} />
              <ActionForm name="payment.pay-late" given={{ payment }} />
            </Card>
            <Card title="Chain">
              <ActionForm name="payment.confirm" given={{ payment }} />
              <ActionForm name="payment.reorg" given={{ payment }} />
              <ActionForm name="payment.refund" given={{ payment }} />
            </Card>
            <Card title="Sanction the sender">
              <ActionForm
                key={data.deposits.at(-1)?.sender ?? ''}
                name="address.sanction"
                initial={data.deposits.length > 0 ? { address: data.deposits.at(-1)?.sender } : {}}
              />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function partOf({ standings: [first] }: Payment): string {
  return halfOf(first?.pay_amount ?? 1)
}

function Standing({ data }: { data: Payment }) {
  const [first] = data.standings
  return (
    <Card title="Payment">
      <Facts
        facts={[
          ['Status', first ? <Status key="status" code={first.payment_status} /> : '–'],
          ['Price', `${first?.price_amount ?? ''} ${first?.price_currency ?? ''}`],
          ['Due', `${first?.pay_amount ?? ''} ${first?.pay_currency ?? ''}`],
          ['Paid', String(first?.actually_paid ?? 0)],
          ['Address', <code key="address">{first?.pay_address}</code>],
          ['Quote until', timeText(data.quoteUntil)],
          ['Payment window until', timeText(data.validUntil)],
          [
            'Page of the customer',
            data.page ? (
              <a key="page" href={data.page} target="_blank" rel="noreferrer">
                {data.page}
              </a>
            ) : (
              '–'
            ),
          ],
          ...data.standings.slice(1).map(
            (each) =>
              [
                'Further payment',
                <a key={each.payment_id} href={linkTo(`gateway/payments/${each.payment_id}`)}>
                  {each.payment_id}, {words(each.payment_status)}
                </a>,
              ] as const,
          ),
        ]}
      />
    </Card>
  )
}

interface Mark {
  readonly at: string | null
  readonly title: ComponentChildren
  readonly text?: ComponentChildren
  readonly tone?: 'good' | 'bad' | 'warn'
}

function LifeLine({ data }: { data: Payment }) {
  const marks: Mark[] = [
    { at: data.createdAt, title: 'Created', text: 'Waits for the customer' },
    ...data.deposits.map((deposit) => ({
      at: null,
      title: (
        <>
          Deposit of {deposit.amount ?? 'another token'} <Status code={deposit.state} />
        </>
      ),
      text: `${Math.min(deposit.confirmations, deposit.needed)} of ${deposit.needed} confirmations, from ${deposit.sender}`,
      ...(deposit.state === 'confirmed' ? { tone: 'good' as const } : {}),
      ...(['removed', 'frozen', 'stray'].includes(deposit.state) ? { tone: 'bad' as const } : {}),
    })),
    ...data.callbacks.map((callback) => ({
      at: callback.createdAt,
      title: (
        <>
          IPN {words(callback.event)} <Status code={callback.status} />
        </>
      ),
      text: (
        <a href={linkTo(`deliveries/${callback.delivery}`)}>
          {callback.url}
          {callback.lastStatus === null ? '' : ` answered ${callback.lastStatus}`}
        </a>
      ),
      ...(callback.status === 'failed' ? { tone: 'bad' as const } : {}),
    })),
  ]
  const [first] = data.standings
  if (first) marks.push({ at: null, title: <Status code={first.payment_status} />, text: 'Status now' })
  return (
    <>
      <ol class="life">
        {marks.map((mark, at) => (
          <li key={at} class={mark.tone ?? ''}>
            <strong>{mark.title}</strong>
            {mark.at && <time>{timeText(mark.at)}</time>}
            {mark.text && <span>{mark.text}</span>}
          </li>
        ))}
      </ol>
      {data.callbacks.length === 0 && (
        <Empty>
          No IPN was sent: the payment has no callback URL. Set one on the page{' '}
          <a href={linkTo('receiver')}>Receiver</a> before you create the next payment.
        </Empty>
      )}
    </>
  )
}
