/** Returns a folder and a book that do not exist yet, named after those of a sync. A book on a server gets a file named after the folder. */
export function unusedPaths(
  { out, book }: { readonly out: string; readonly book: string },
  exists: (path: string) => boolean,
): { out: string; book: string } {
  const folder = out.replace(/\/+$/, '')
  const file = /^[a-z][a-z0-9+.-]*:/i.test(book) ? `${folder}.db` : book
  return {
    out: firstUnused((number) => `${folder}-${number}`, exists),
    book: firstUnused((number) => file.replace(/(\.db)?$/, `-${number}$1`), exists),
  }
}

function firstUnused(path: (number: number) => string, exists: (path: string) => boolean): string {
  let number = 2
  while (exists(path(number))) number += 1
  return path(number)
}
