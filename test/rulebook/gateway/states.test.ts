import { describe, expect, test } from 'vitest'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { shared } from '../shared.ts'
import { aShop, ask, order } from './gateway.ts'
import * as book from './states.ts'

const shop = shared(async (world) => {
  const made = await aShop(world)
  await ask(made, 'POST /payment', order)
  return made
})

describe.each(book.lists)('GET $endpoint', ({ endpoint, statuses }) => {
  const list = async (query: string) => (await ask(shop(), `GET ${endpoint}?${query}`)).body

  test.each(statuses)('accepts the status %s in any case, alone and among others', async (status) => {
    for (const text of [status, status.toUpperCase(), `${status},${statuses[0]}`, statuses.join(',')])
      expect(await list(`status=${text}`), text).not.toHaveProperty('statusCode')
  })

  test('takes no status as all of them', async () => {
    const all = await list('')
    for (const empty of ['status=', 'status=%20', 'status=,', `status=${statuses.join(',')}`])
      expect(await list(empty), empty).toEqual(all)
  })

  test('refuses every other status and names its own', async () => {
    const others = new Set<string>(Object.values(book.statuses).flat())
    for (const status of statuses) others.delete(status)
    for (const wrong of [...others, 'paid', 'FINISHED2', 'cancelling', `${statuses[0]},odd`, '1']) {
      const { statusCode, code, message } = await list(`status=${wrong}`)
      expect([wrong, statusCode, code]).toEqual([wrong, 400, 'INVALID_REQUEST_PARAMS'])
      expect(message).toContain(statuses.join(', '))
    }
  })
})

test('the published statuses are those of the tables, for every object', () => {
  const enums: { name: string; values: string }[] = []
  const walk = (value: unknown, name: string) => {
    if (typeof value !== 'object' || value === null) return
    if ('enum' in value && Array.isArray(value.enum)) enums.push({ name, values: value.enum.join(' ') })
    for (const [key, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? name : key)
  }
  const { paths, webhooks, components } = openApiOf(gateway) as Record<string, unknown>
  walk({ paths, webhooks, components }, '')
  const named = (name: string) => [...new Set(enums.filter((each) => each.name === name).map(({ values }) => values))]
  expect(named('payment_status')).toEqual([book.statuses.payment.join(' ')])
  const { payment: _, ...others } = book.statuses
  expect(named('status').toSorted()).toEqual(
    [...new Set(Object.values(others).map((each) => each.join(' ')))].toSorted(),
  )
})
