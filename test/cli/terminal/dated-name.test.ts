import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDatedName } from '../../../src/cli/terminal/dated-name.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a dated name in a missing folder is reported by its given name', () => {
  const name = join(temporaryFolder(), 'backups', 'book-{date}.db')
  expect(() => checkDatedName('FILE', name)).toThrow('for book-{date}.db does not exist')
})
