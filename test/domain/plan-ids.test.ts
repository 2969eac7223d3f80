import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { batchDigest, generatedTxnId } from '../../src/domain/wallet/batch.ts'

test.each([
  [1, 'payday-0001'],
  [999, 'payday-0999'],
  [1000, 'payday-1000'],
  [12_345, 'payday-12345'],
])('row %i without an id of its own is %s', (place, txnId) => {
  expect(generatedTxnId('payday', place)).toBe(txnId)
})

// Existing approvals are stored with this digest: its content may not change between versions.
test('the digest of a batch is that of its content in canonical form', () => {
  const row = {
    place: 1,
    line: 2,
    txnId: 't-1',
    username: 'amy',
    dir: 'in',
    amount: '1.50',
    currency: 'USD',
    note: null,
  }
  const about = {
    planId: 'payday',
    companyCode: 'DEMO',
    environment: 'live',
    sourceSha256: 'ab',
    note: null,
    madeBy: 'bob',
    creates: false,
  }
  const canonical =
    '{"companyCode":"DEMO","creates":false,"environment":"live","madeBy":"bob","note":null,"planId":"payday",' +
    '"rows":[[1,2,"t-1","amy","in","1.50","USD",null]],"sourceSha256":"ab","v":1}'
  expect(batchDigest({ ...about, rows: [{ ...row, dir: 'in' }] })).toBe(
    createHash('sha256').update(canonical).digest('hex'),
  )
})
