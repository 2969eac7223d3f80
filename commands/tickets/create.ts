import type { Form } from '../../src/chat/shapes.ts'
import { ChatCommand, plannedTicketCall, priorityFrom } from '../../src/cli/chat-command.ts'
import { plannedSchema, plannedText } from '../../src/cli/dry-run.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/flags.ts'
import { readInput } from '../../src/cli/input.ts'
import { formNamed } from '../../src/cli/ticket-filter.ts'
import { nameOfTicket, wholeTicketFields, wholeTicketRow } from '../../src/cli/ticket-view.ts'
import { fillIn, type SentValue } from '../../src/domain/ticket-form.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { Problem } from '../../src/kit/problem.ts'
import { nearest } from '../../src/world/nearest.ts'

export default class TicketsCreate extends ChatCommand {
  static override summary = 'Create a ticket'
  static override description =
    'Field values are given as CODE=VALUE, and turned into what the form asks for where the form can be read. After an unknown outcome, the same command with the --key it printed makes no second ticket on an instance that keeps such keys.'
  static override examples = [
    'countroom tickets create "Deposit is missing" --account amy --priority high --field txnId=cashier-1001',
    { command: 'countroom tickets create "Long story" --description - < story.txt', description: 'Text from stdin' },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = { title: Args.string({ required: true, description: 'What it is about, in one line' }) }
  static override flags = {
    description: Flags.string({ summary: 'The whole of it, or - for stdin', helpValue: 'TEXT|-' }),
    form: Flags.string({ summary: 'The form; the merchant’s default without', helpValue: 'CODE' }),
    account: Flags.string({ summary: 'The customer’s account', helpValue: 'NAME' }),
    name: Flags.string({ summary: 'The customer’s name', helpValue: 'NAME' }),
    language: Flags.string({ summary: 'The customer’s language tag', helpValue: 'TAG' }),
    priority: Flags.string({ summary: 'low, normal, high or urgent', helpValue: 'PRIORITY' }),
    field: Flags.string({
      summary: 'A value of the form',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'CODE=VALUE',
    }),
    key: Flags.string({ summary: 'The same key again makes no second ticket', helpValue: 'ID' }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const fields = await wholeTicketFields()
    return Type.Object({
      ticket: Type.Union([Type.Object(fields), Type.Null()], { description: 'Null in a dry run' }),
      key: Type.String(),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsCreate)
    const key = flags.key ?? realAmbient().id()
    const priority = flags.priority === undefined ? undefined : priorityFrom(flags.priority)
    const sent = (flags.field ?? []).map(fieldFrom)
    const desk = await this.desk()
    const description = flags.description === '-' ? await readInput('-') : flags.description
    const order = {
      title: args.title,
      ...(flags.form === undefined ? {} : { formCode: flags.form }),
      ...(description === undefined ? {} : { description }),
      ...(flags.account === undefined ? {} : { customerAccount: flags.account }),
      ...(flags.name === undefined ? {} : { customerDisplayName: flags.name }),
      ...(flags.language === undefined ? {} : { customerLanguage: flags.language }),
      ...(priority === undefined ? {} : { priority }),
      ...(sent.length === 0 && flags.form === undefined ? {} : await this.#fieldValues(sent, flags.form)),
    }
    const result = { key, dryRun: this.isDryRun, request: null, ticket: null }
    if (this.isDryRun) {
      const request = plannedTicketCall('createTicket', { body: order })
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { ...result, request }
    }
    this.detail(`Idempotency-Key: ${key}`)
    const ticket = await desk.create(order, key).catch((error: unknown) => {
      if (error instanceof Problem && error.detail['outcome'] === 'unknown')
        this.note(`It may have been made: look for it before saying it again, or repeat with --key ${key}`)
      throw error
    })
    this.log(`Created ${nameOfTicket(ticket)} (${ticket.ticketId}), ${ticket.status}.`)
    return { ...result, ticket: wholeTicketRow(ticket) }
  }

  /** Also without values the form is looked at: it must be there, and may want some. */
  async #fieldValues(
    sent: readonly { fieldCode: string; value: string }[],
    formCode: string | undefined,
  ): Promise<{ fieldValues?: SentValue[] }> {
    const fieldValues = await this.#typed(sent, formCode)
    return fieldValues.length === 0 ? {} : { fieldValues: [...fieldValues] }
  }

  /** The values in the types the form asks for, everything wrong with them told at once; as text where forms cannot be read. */
  async #typed(
    sent: readonly { fieldCode: string; value: string }[],
    formCode: string | undefined,
  ): Promise<readonly SentValue[]> {
    const desk = await this.desk()
    const forms = await desk.forms()
    if (forms === undefined) return sent
    const form = formCode === undefined ? onlyForm(forms) : formNamed(formCode, forms)
    if (form === undefined) return sent
    const unknown = sent.filter(({ fieldCode }) => !form.fields.some((field) => field.fieldCode === fieldCode))
    if (unknown.length > 0) throw noField(unknown, form)
    const values = sent.map(({ fieldCode, value }) => {
      const type = form.fields.find((field) => field.fieldCode === fieldCode)?.type
      if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return { fieldCode, value: Number(value) }
      if (type === 'boolean' && /^(?:true|false)$/.test(value)) return { fieldCode, value: value === 'true' }
      if (type === 'multiselect') return { fieldCode, value: value.split(',') }
      return { fieldCode, value }
    })
    const filled = fillIn(form, values)
    if ('values' in filled) return values
    throw new Problem(
      'INVALID_FIELD_VALUES',
      `The form ${form.formCode} does not take this: ${filled.faults.map(({ field, code }) => `${field} (${code})`).join(', ')}`,
      { formCode: form.formCode, faults: filled.faults, remoteCode: null },
    )
  }
}

/** The form a ticket gets that names none, where there is but one. */
const onlyForm = (forms: readonly Form[]): Form | undefined => {
  const active = forms.filter((form) => form.active)
  return active.length === 1 ? active[0] : undefined
}

function noField(unknown: readonly { fieldCode: string }[], form: Form): Problem {
  const codes = form.fields.map(({ fieldCode }) => fieldCode)
  const told = unknown.map(({ fieldCode }) => {
    const near = nearest(fieldCode, codes, 1)[0]
    return near === undefined ? `"${fieldCode}"` : `"${fieldCode}" (did you mean ${near}?)`
  })
  return new Problem(
    'INVALID_FIELD_VALUES',
    `The form ${form.formCode} has no field ${told.join(', ')}; there are ${codes.join(', ')}`,
    {
      formCode: form.formCode,
      unknown: unknown.map(({ fieldCode }) => fieldCode),
      nearest: unknown.flatMap(({ fieldCode }) => nearest(fieldCode, codes, 1)),
      fields: codes,
      remoteCode: null,
    },
  )
}

function fieldFrom(text: string): { fieldCode: string; value: string } {
  const at = text.indexOf('=')
  if (at > 0) return { fieldCode: text.slice(0, at), value: text.slice(at + 1) }
  throw new Problem('INVALID_USAGE', `--field wants CODE=VALUE, not ${text}`)
}
