import Type, { type Static } from 'typebox'

/** Result of a backup, a restore or a copy. */
export const BookCopyResult = Type.Object({
  from: Type.String({ description: 'Source, without its password.' }),
  to: Type.String({ description: 'Target, without its password.' }),
  rows: Type.Integer({ description: 'Number of rows of all tables.' }),
  bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Size of the file; null for a database address.' }),
  kept: Type.Union([Type.String(), Type.Null()], {
    description: 'Name under which a book replaced with --force was kept.',
  }),
  tables: Type.Array(
    Type.Object({
      table: Type.String(),
      rows: Type.Integer(),
      sha256: Type.String({
        description: 'SHA-256 of all rows in the order of the primary key; equal on every engine.',
      }),
    }),
  ),
})
export type BookCopyResult = Static<typeof BookCopyResult>
