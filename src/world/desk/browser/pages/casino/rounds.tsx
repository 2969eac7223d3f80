import type { ViewData } from '../../../views/index.ts'
import { amountText, shortId, timeText } from '../../format.ts'
import { useView } from '../../live.ts'
import { useTenant } from '../../parties.ts'
import { ActionForm } from '../../parts/action.tsx'
import { Card, Code, Facts, Loaded, Page, Select, Status, Table } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'
import { environments } from './tables.tsx'

const exactRound = {
  tableId: 'BAC-01',
  variant: 'nocomm',
  cardInfo: 'QD3D4C3SAH--',
  slips: [{ username: 'amy', bets: { B: '100', S6: '10' } }],
}

/** Rounds of all tables or one, and the forms that deal them. */
export function RoundsPage({ route }: PageProps) {
  const environment = route.query['environment'] === 'sandbox' ? 'sandbox' : 'live'
  const table = route.query['table'] ?? ''
  const live = useView('casino.rounds', { environment, ...(table === '' ? {} : { table }) })
  const { code } = useTenant({ ...route, query: { tenant: environment === 'sandbox' ? 'DEMO-SBX' : 'DEMO' } })
  return (
    <Page
      title="Rounds"
      tools={
        <>
          <Select label="Environment" name="environment" value={environment} options={environments} />
          <Select
            label="Table"
            name="table"
            value={table}
            options={[['', 'all'], ...(live.data?.tables ?? []).map((each) => [each, each] as const)]}
          />
        </>
      }
    >
      <Loaded live={live}>
        {({ rounds }) => (
          <Table
            label="Rounds"
            rows={rounds}
            keyOf={({ round }) => round}
            empty="No rounds yet. Deal some below, or let the tables deal on the page Tables."
            columns={[
              {
                title: 'Round',
                show: ({ round }) => <a href={linkTo(`casino/rounds/${round}`)}>{shortId(round)}</a>,
              },
              { title: 'Table', show: ({ table: id }) => id },
              { title: 'Status', show: ({ status }) => <Status code={status} /> },
              { title: 'Rev', show: ({ rev }) => rev, isNumber: true },
              { title: 'Cards', show: ({ cards, code: result }) => <code>{cards ?? result ?? ''}</code> },
              { title: 'Opened', show: ({ openedAt }) => timeText(openedAt), isMinor: true },
            ]}
          />
        )}
      </Loaded>
      <div class="grid">
        <Card title="Deal rounds">
          <ActionForm key={code} name="round.play" given={{ tenant: code }} />
        </Card>
        <Card title="Deal exactly">
          <ActionForm
            key={code}
            name="round.deal"
            given={{ tenant: code }}
            initial={{ round: JSON.stringify(exactRound) }}
          />
        </Card>
      </div>
    </Page>
  )
}

/** A round with every revision of its slips. */
export function RoundPage({ route }: PageProps) {
  const round = route.path.at(-1) ?? ''
  const live = useView('casino.round', { round })
  return (
    <Page title={`Round ${shortId(round)}`} tools={<a href={linkTo('casino/rounds')}>All rounds</a>}>
      <Loaded live={live}>
        {(data) => (
          <div class="grid">
            <Card title="Result">
              <Facts
                facts={[
                  ['Round', <code key="id">{round}</code>],
                  ['Table', `${data.table}, ${data.game}, ${data.environment}`],
                  ['Status', <Status key="status" code={data.status} />],
                  ['Revision', data.round?.rev ?? 0],
                  ['Cards', <code key="cards">{data.round?.cardInfo ?? '–'}</code>],
                  ['Code', data.round?.code ?? '–'],
                  ['Opened', timeText(data.openedAt)],
                  ['Settled', timeText(data.round?.settledAt)],
                ]}
              />
            </Card>
            <Card title="Change">
              <ActionForm
                name="round.correct"
                given={{ round }}
                initial={data.round?.cardInfo ? { cardInfo: data.round.cardInfo } : {}}
              />
              <ActionForm name="round.void" given={{ round }} />
              <ActionForm name="round.dispute" given={{ round }} />
            </Card>
            <Card title="Slips" class="wide">
              <Slips slips={data.slips} />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Slips({ slips }: { slips: ViewData<'casino.round'>['slips'] }) {
  if (slips.length === 0) return <p class="empty">Nobody bet in this round.</p>
  return (
    <>
      {slips.map((slip) => (
        <details key={slip.slip} open={slips.length <= 4}>
          <summary>
            {slip.username} <Status code={slip.status} /> {amountText(slip.stake)} {slip.currency}, win/loss{' '}
            {amountText(slip.winLoss)}
          </summary>
          <Table
            label={`Revisions of the slip of ${slip.username}`}
            rows={slip.revisions}
            keyOf={({ rev }) => String(rev)}
            empty="The slip is not settled yet."
            columns={[
              { title: 'Rev', show: ({ rev }) => rev, isNumber: true },
              { title: 'Status', show: ({ record }) => <Status code={String(record['status'])} /> },
              { title: 'Payout', show: ({ record }) => amountText(String(record['payout'])), isNumber: true },
              { title: 'Win/loss', show: ({ record }) => amountText(String(record['winLoss'])), isNumber: true },
              { title: 'Delta', show: ({ record }) => amountText(String(record['delta'])), isNumber: true },
              { title: 'Written', show: ({ at, recSeq }) => `${timeText(at)}, record ${recSeq}`, isMinor: true },
            ]}
          />
          {slip.revisions.length > 0 && (
            <details>
              <summary>The latest record, as GET /bets returns it</summary>
              <Code
                text={JSON.stringify(slip.revisions.at(-1)?.record, null, 2)}
                label={`Record of the slip of ${slip.username}`}
              />
            </details>
          )}
        </details>
      ))}
    </>
  )
}
