import { expect, test } from 'vitest'
import { unusedPaths } from '../../../../src/operator/bets/sync/unused-paths.ts'

const existing = (...paths: string[]) => {
  const known = new Set(paths)
  return (path: string) => known.has(path)
}

test('the paths are numbered from 2, each separately', () => {
  const paths = { out: './bets', book: '/state/house.db' }
  expect(unusedPaths(paths, existing())).toEqual({ out: './bets-2', book: '/state/house-2.db' })
  expect(unusedPaths(paths, existing('./bets-2', './bets-3', '/state/house-2.db'))).toEqual({
    out: './bets-4',
    book: '/state/house-3.db',
  })
})

test('a slash at the end of the folder is dropped, and a book needs no extension', () => {
  expect(unusedPaths({ out: 'bets//', book: 'book' }, existing())).toEqual({ out: 'bets-2', book: 'book-2' })
})

test('a book on a server becomes a file named after the folder', () => {
  const paths = { out: 'bets/', book: 'postgres://localhost/book' }
  expect(unusedPaths(paths, existing('bets-2.db'))).toEqual({ out: 'bets-2', book: 'bets-3.db' })
})
