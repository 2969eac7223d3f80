import { Type } from 'typebox'

/** An entry of the audit trail, as printed with `--json`. */
export const AuditEntryShown = Type.Object({
  seq: Type.Integer(),
  at: Type.String(),
  operator: Type.String({ description: 'Name given with --as or COUNTROOM_AS, else the user of the machine.' }),
  osUser: Type.String(),
  host: Type.String(),
  profile: Type.String(),
  command: Type.String(),
  subject: Type.String(),
  run: Type.String({ description: 'ID that the two entries of a run share.' }),
  outcome: Type.String({ description: '"started", then "ok" or the error code with the exit code.' }),
  previous: Type.String({ description: 'Hash of the entry before.' }),
  hash: Type.String({ description: 'SHA-256 of the JSON list of the other fields, in this order.' }),
})
