import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { setMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { type CommandForm, commandText } from '../../../src/world/desk/actions/command-form.ts'
import { actionNames, deskActions, runAction } from '../../../src/world/desk/actions/index.ts'
import { openReceiver } from '../../../src/world/desk/receiver.ts'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { readView } from '../../../src/world/desk/views/index.ts'
import type { ViewDependencies } from '../../../src/world/desk/views/view.ts'
import { run } from '../../support/program/cli.ts'
import { servedBeside } from '../../support/worlds/served.ts'
import { merchant, sandboxMerchant, steps, type Thing } from './pasted-steps.ts'

/** Two equal worlds: in one the actions are clicked, in the other the commands under them are pasted into a shell. */

test('the command under each action, pasted into a shell, does what the action does', async () => {
  const [clicked, pasted] = [await aWorld(), await aWorld()]
  for (const [at, step] of steps.entries()) {
    if (step === 'compare') {
      const changes = await clicked.changes()
      expect(changes.length).toBeGreaterThan(0)
      expect(await pasted.changes(), `before step ${at}`).toEqual(changes)
    } else if ('both' in step) {
      for (const { home, find } of [clicked, pasted]) await run(await step.both(find), { home })
    } else {
      const [action, values] = step
      const inputIn = ({ find }: typeof clicked) => (typeof values === 'function' ? values(find) : values)
      const refusal = await runAction(clicked.dependencies, action, { ...(await inputIn(clicked)) }).then(
        () => undefined,
        (error: Error) => error.message,
      )
      // An action waits for its work for a limited time only.
      await clicked.dependencies.world.settle()
      const input = await inputIn(pasted)
      const forms: readonly CommandForm[] = deskActions[action].commands
      const text = forms.map((form) => commandText(form, input)).join(' && \\\n  ')
      for (const { words, stdin } of wordsIn(text)) {
        const { code, stderr } = await run(words, { home: pasted.home, input: stdin })
        expect(code === 0, `${text}\n${stderr}`).toBe(refusal === undefined)
        expect(stderr, text).toContain(refusal ?? '')
      }
    }
  }
})

test('the steps click every action', () => {
  const clicked = new Set(steps.flatMap((step) => (Array.isArray(step) ? [step[0]] : [])))
  expect(actionNames.filter((name) => !clicked.has(name))).toEqual([])
})

async function aWorld() {
  // A scheduler could act between two transactions of an action: what it sees there depends on the machine.
  const { world, home } = await servedBeside({
    records: { requests: true, hasDesk: true, desk: deskRoutes },
    hasScheduler: false,
  })
  await setMerchant(world.gateway, merchant, { approvalUsd: '5' })
  const dependencies: ViewDependencies = { world, db: '', receiver: openReceiver(() => true, Date.now) }
  let count = 0
  const save = () => world.snapshots.save(`compared-${++count}`)
  await save()
  return {
    home,
    dependencies,
    find: (thing: Thing) => newest(dependencies, thing),
    /** Returns what changed since the last call, without what differs by time and chance. */
    async changes() {
      await world.settle()
      const { changes } = await world.snapshots.diff(`compared-${count}`, undefined)
      await save()
      return changes
        .map(({ entity, change, fields }) => `${entity} ${change} ${JSON.stringify(comparable(fields))}`)
        .sort()
    },
  }
}

async function newest(dependencies: ViewDependencies, thing: Thing): Promise<string> {
  const read = async (name: string, query: object) =>
    JSON.parse(JSON.stringify(await readView(dependencies, name, { ...query })))
  const isSandbox = thing.startsWith('sandbox ')
  const owner = { merchant: isSandbox ? sandboxMerchant : merchant }
  const kind = thing.replace('sandbox ', '')
  if (kind === 'receiver') return (await read('receiver', {})).url
  if (kind === 'delivery') return (await read('deliveries', {})).deliveries[0].delivery
  if (kind === 'round') return (await read('casino.rounds', { environment: 'live' })).rounds[0].round
  if (kind === 'payment') return (await read('gateway.payments', owner)).payments[0].payment
  if (kind === 'room') return (await read('chat.rooms', { tenant: 'DEMO' })).rooms[0].room
  if (kind === 'ticket') return String((await read('chat.tickets', { tenant: 'DEMO' })).items[0].ticketNumber)
  const { payouts, whitelist } = await read('gateway.payouts', owner)
  return kind === 'address'
    ? whitelist.find(({ coin }: { coin: string }) => coin === 'usdttrc20').address
    : payouts[0][kind]
}

/**
 * Columns with an ID, a time, or a value that is drawn by chance. The second factor's: a code counts once in its 30 seconds, and
 * `payouts verify`, which is run in both worlds, waits for the next one.
 */
const drawn =
  /^(totp_step|wrong_codes|id|at|batch|block|button|derivation|event_seq|from|hash|nonce|payment|posting|quote.*|receiver|recipient|ref|room|scan_at|seed|sender|subject|to|until|.*_(at|id|token|until))$/

function comparable(fields: Readonly<Record<string, { before: unknown; after: unknown }>>) {
  return Object.entries(fields).flatMap(([name, { before, after }]) =>
    drawn.test(name) && name !== 'txn_id' ? [] : [[name, masked(before), masked(after)]],
  )
}

/** Masks IDs, times, hashes, addresses of wallets and ports inside a value. */
function masked(value: unknown): string {
  return String(value)
    .replaceAll(/\b(T[1-9A-HJ-NP-Za-km-z]{33}|(tb|bc)1[0-9a-z]{30,}|[0-9A-HJKMNP-TV-Z]{26}|(0x)?[0-9a-f]{16,})\b/g, '…')
    .replaceAll(/127\.0\.0\.1:\d+|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{10,}\b/g, '…')
}

/** Splits a pasted text as a shell does: the words of each command, and what is piped into it. */
function wordsIn(text: string): { words: string[]; stdin: string }[] {
  const stub = `countroom() { printf '%s\\0' "$@"; printf '\\1'; cat; printf '\\2'; }\n`
  const printed = execFileSync('sh', ['-c', stub + text], { input: '', encoding: 'utf8' })
  return printed
    .split('\u0002')
    .slice(0, -1)
    .map((part) => {
      const [words = '', stdin = ''] = part.split('\u0001')
      return { words: words.split('\0').slice(0, -1), stdin }
    })
}
