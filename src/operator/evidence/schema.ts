import { Type } from 'typebox'

/** Schema of a written evidence pack. Fields may be added, never renamed. */
export const EvidenceWrittenShown = Type.Object({
  folder: Type.String(),
  calls: Type.Integer({ description: 'Number of recorded requests.' }),
  files: Type.Array(
    Type.Object({
      file: Type.String({ description: 'Path below the folder.' }),
      bytes: Type.Integer(),
      sha256: Type.String(),
    }),
  ),
})
