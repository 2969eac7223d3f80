import type { Shapes } from '../../outcome/result-schema.ts'

/** Schema of the IDs of the open breaks that a run recorded. */
export function openBreaksSchema({ Type }: Shapes) {
  return Type.Array(Type.String(), {
    description: 'Open breaks that this run recorded in the book, if there is one.',
  })
}
