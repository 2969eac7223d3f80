/** Result schemas of the commands on the book. */
export { BookCopyResult } from './copies/schema.ts'
export { BookShown } from './show.ts'
export { BookVerification } from './verify/schema.ts'
