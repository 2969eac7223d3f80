import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class DoctorSign extends CountroomCommand {
  static override summary = 'Compute the signature of a casino request, and explain a mismatch'
  static override description = [
    'Shows the five signed lines with their lengths, and the resulting signature. With --signature, it tries common mistakes, such as a body that was serialized again, milliseconds, CRLF or Base64, and names the one that produces your signature. Exits with 9 if the signatures differ.',
    'The secret comes from the profile or a file and is never printed. Sends no request.',
  ].join('\n\n')
  static override examples = [
    {
      command:
        'countroom doctor sign --method GET --path /api/tenant/v1/tables --timestamp 1772323200 --nonce 4f9d0c2b7a615e38',
      description: 'Compute the signature of a request without a body',
    },
    {
      command:
        'countroom doctor sign --method POST --path /api/tenant/v1/wallet/deposit --body body.json --timestamp 1772323200 --nonce 4f9d0c2b7a615e38 --signature 9a0b…',
      description: 'Find out why a signature was rejected',
    },
  ]
  static override exits = ['differences'] as const
  static override completes = { body: 'files', 'secret-file': 'files' }
  static override files = ['the body and the secret, if their flags name files: read only']
  static override flags = {
    method: Flags.string({ summary: 'HTTP method', required: true, helpValue: 'METHOD' }),
    path: Flags.string({ summary: 'Path and query, exactly as sent', required: true, helpValue: 'PATH_AND_QUERY' }),
    body: Flags.string({
      summary: 'File with the exact bytes of the body, or - for stdin (default: no body)',
      helpValue: 'FILE|-',
    }),
    timestamp: Flags.string({ summary: 'X-Timestamp as sent', required: true, helpValue: 'SECONDS' }),
    nonce: Flags.string({ summary: 'X-Nonce as sent', required: true, helpValue: 'N' }),
    signature: Flags.string({ summary: 'X-Signature as sent', helpValue: 'HEX' }),
    'secret-file': Flags.string({
      summary: 'File with the signing secret, or - for stdin (default: the secret of the profile)',
      helpValue: 'FILE|-',
    }),
  }
  static override data = ({ Type }: Shapes) => {
    const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
    return Type.Object({
      lines: Type.Array(
        Type.Object({
          name: Type.Enum(['method', 'path', 'timestamp', 'nonce', 'bodySha256']),
          value: Type.String(),
          bytes: Type.Integer(),
        }),
      ),
      expected: Type.String({ description: 'Signature of these lines.' }),
      given: orNull(Type.String()),
      verdict: Type.Enum(['match', 'differs', 'computed']),
      differs: orNull(
        Type.String({ description: 'Line that was signed with another value, if a mistake explains it.' }),
      ),
      signedValue: orNull(Type.String()),
      hints: Type.Array(Type.String()),
    })
  }

  override async run() {
    const { flags } = await this.parse(DoctorSign)
    const { signRequest } = await import('../../src/cli/topics/doctor/sign.ts')
    return signRequest(this, flags)
  }
}
