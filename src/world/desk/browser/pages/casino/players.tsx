import { commandText } from '../../../actions/command-form.ts'
import { amountText, shortId, timeText } from '../../format.ts'
import { useView } from '../../live.ts'
import { useTenant } from '../../parties.ts'
import { ActionButton, ActionForm } from '../../parts/action.tsx'
import { Card, Facts, Loaded, Page, Search, Select, Status, Table } from '../../parts/layout.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

/** Opens the game in a new tab, on the origin of this page. The link works once, so it is not shown. */
function openGame({ url }: Record<string, unknown>): void {
  const link = new URL(String(url))
  const opened = window.open(`${link.pathname}${link.search}`, '_blank', 'noopener')
  // With "noopener" the browser never returns the window.
  if (opened === null) showToast('The game opens in a new tab', 'If it does not, allow pop-ups for this page.')
}

/** Shows the game in the frame of a phone. */
function openOnPhone({ url }: Record<string, unknown>): void {
  const link = new URL(String(url))
  location.hash = `#/casino/phone/${encodeURIComponent(link.searchParams.get('t') ?? '')}`
}

const firstLaunch = { words: 'launch', args: ['user'], fixed: { create: true }, profileOf: 'tenant' } as const

export function PlayersPage({ route }: PageProps) {
  const { code, options } = useTenant(route)
  const name = route.query['name'] ?? ''
  const live = useView('casino.players', { tenant: code, ...(name === '' ? {} : { name }) })
  return (
    <Page
      title="Players"
      tools={
        <>
          <Select label="Tenant" name="tenant" value={code} options={options} />
          <Search label="Name" name="name" value={name} />
        </>
      }
    >
      <Loaded live={live}>
        {({ players, more }) => (
          <Table
            label="Players"
            rows={players}
            more={more}
            keyOf={({ username }) => username}
            empty={
              name === '' ? (
                <>
                  {code} has no players. A launch creates one:{' '}
                  <code>{commandText(firstLaunch, { user: 'amy', tenant: code })}</code>
                </>
              ) : (
                <>No player's name begins with “{name}”.</>
              )
            }
            columns={[
              {
                title: 'Player',
                show: ({ username }) => (
                  <a href={linkTo(`casino/players/${encodeURIComponent(username)}`, { tenant: code })}>{username}</a>
                ),
              },
              { title: 'Status', show: ({ status }) => <Status code={status} /> },
              {
                title: 'Balance',
                show: ({ balance, currency }) => `${amountText(balance)} ${currency}`,
                isNumber: true,
              },
              { title: 'Online', show: ({ online }) => (online ? 'online' : ''), isMinor: true },
              { title: 'Last login', show: ({ lastLoginAt }) => timeText(lastLoginAt), isMinor: true },
              {
                title: 'Actions',
                show: ({ username, status }) => (
                  <span class="actions">
                    <ActionButton
                      name="player.launch"
                      label="Play as"
                      given={{ tenant: code, user: username }}
                      onDone={openGame}
                    />
                    <ActionButton
                      name="player.launch"
                      title="Play as, on a phone"
                      label="Phone"
                      given={{ tenant: code, user: username, device: 'mobile' }}
                      onDone={openOnPhone}
                    />
                    <ActionButton
                      name="player.adjust"
                      label="Adjust"
                      given={{ tenant: code, user: username }}
                      initial={{ txn: `desk-${Date.now().toString(36)}` }}
                    />
                    <ActionButton
                      name={status === 'active' ? 'player.lock' : 'player.unlock'}
                      given={{ tenant: code, user: username }}
                    />
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

export function PlayerPage({ route }: PageProps) {
  const { code } = useTenant(route)
  const user = route.path.at(-1) ?? ''
  const given = { tenant: code, user }
  const live = useView('casino.player', given)
  return (
    <Page title={user} tools={<a href={linkTo('casino/players', { tenant: code })}>All players</a>}>
      <Loaded live={live}>
        {(player) => (
          <div class="grid">
            <Card title="Player">
              <Facts
                facts={[
                  ['Status', <Status key="status" code={player.status} />],
                  ['Balance', `${amountText(player.balance)} ${player.currency}`],
                  ['Online', player.online ? 'yes' : 'no'],
                  ['Last login', timeText(player.lastLoginAt)],
                  ['Created', timeText(player.createdAt)],
                ]}
              />
            </Card>
            <Card title="Play as">
              <ActionForm name="player.launch" given={given} onDone={openGame} />
            </Card>
            <Card title="Adjust the balance">
              <ActionForm name="player.adjust" given={given} initial={{ txn: `desk-${Date.now().toString(36)}` }} />
            </Card>
            <Card title="Access">
              {player.status !== 'locked' && <ActionForm name="player.lock" given={given} />}
              {player.status !== 'active' && <ActionForm name="player.unlock" given={given} />}
              {player.status === 'active' && <ActionForm name="player.no-bet" given={given} />}
              <ActionForm name="player.kick" given={given} />
            </Card>
            <Card title="Latest slips" class="wide">
              <Table
                label="Slips of the player"
                rows={player.slips}
                keyOf={({ slip }) => slip}
                empty="The player has not bet yet. Play as the player, or deal rounds on the page Rounds."
                columns={[
                  {
                    title: 'Round',
                    show: ({ round }) => <a href={linkTo(`casino/rounds/${round}`)}>{shortId(round)}</a>,
                  },
                  { title: 'Table', show: ({ table }) => table },
                  { title: 'Status', show: ({ status }) => <Status code={status} /> },
                  { title: 'Stake', show: ({ stake }) => amountText(stake), isNumber: true },
                  { title: 'Win/loss', show: ({ winLoss }) => amountText(winLoss), isNumber: true },
                  { title: 'Settled', show: ({ settledAt }) => timeText(settledAt), isMinor: true },
                ]}
              />
            </Card>
            <Transfers tenant={code} user={user} txn={route.query['txn'] ?? ''} currency={player.currency} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Finds a transfer of the player. */
function Transfers({ tenant, user, txn, currency }: Readonly<Record<'tenant' | 'user' | 'txn' | 'currency', string>>) {
  return (
    <Card title="Transfers" class="wide">
      <p class="summary">
        The platform finds a transfer by its ID and has no list of a player's transfers. Those of your own calls are on
        the page <a href={linkTo('requests', { path: '/wallet' })}>Requests</a>.
      </p>
      <Search label="Transfer ID" name="txn" value={txn} />
      {txn !== '' && <FoundTransfer query={{ tenant, user, txn }} currency={currency} />}
    </Card>
  )
}

function FoundTransfer({ query, currency }: { query: Record<'tenant' | 'user' | 'txn', string>; currency: string }) {
  const live = useView('casino.transfer', query)
  return (
    <Loaded live={live}>
      {({ transfers }) => (
        <Table
          label="Transfers"
          rows={transfers}
          keyOf={({ txn }) => txn}
          empty={`${query.user} has no transfer ${query.txn}.`}
          columns={[
            { title: 'Transfer ID', show: ({ txn }) => txn },
            { title: 'Direction', show: ({ dir }) => dir },
            { title: 'Amount', show: ({ amount }) => `${amountText(amount)} ${currency}`, isNumber: true },
            { title: 'Balance after', show: ({ balance }) => `${amountText(balance)} ${currency}`, isNumber: true },
            { title: 'Time', show: ({ at }) => timeText(at), isMinor: true },
          ]}
        />
      )}
    </Loaded>
  )
}
