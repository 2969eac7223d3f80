import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args } from '../../../src/cli/framework/flags.ts'
import { requestDetailSchema } from '../../../src/cli/topics/sim/request-view.ts'

export default class SimRequestsShow extends CountroomCommand {
  static override summary = 'Show a recorded request: its bytes, its outcome, and why it was rejected'
  static override description = [
    'For a request to the casino, it shows the five signed lines as the server saw them, and names the cause of a rejection: the line that was signed with another value, the clock skew, the repeated nonce, the key of another environment or the blocked address.',
    'Copies to run again follow: a curl script that signs the request again, the countroom command, and code for the typed client. They take BASE_URL, API_KEY and SECRET from the environment; secrets are masked.',
  ].join('\n\n')
  static override examples = [
    'countroom sim requests show 01KA3V5Z8E9Q0T7XW2R4Y6B8CD',
    {
      command: 'countroom sim requests show 01KA3V5Z8E9Q0T7XW2R4Y6B8CD --json | jq -r .data.copies.curl',
      description: 'Copy the request as curl',
    },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override args = {
    id: Args.string({
      required: true,
      description: 'Request ID, as in x-request-id of the response, or its last 8 characters or more',
    }),
  }
  static override data = requestDetailSchema

  override async run() {
    const { args } = await this.parse(SimRequestsShow)
    const { showRequest } = await import('../../../src/cli/topics/sim/requests.ts')
    return showRequest(this, args.id)
  }
}
