import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../src/kit/problem.ts'
import { listTickets } from '../../src/operator/tickets/list.ts'

export default class FormsShow extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Show the fields, statuses and transitions of a ticket form'
  static override description =
    'With --json, the form has the format that "countroom console chat forms save" reads. If the instance does not support reading forms, the status codes come from the error response to an invalid status on a ticket of the form; that changes nothing.'
  static override examples = [
    'countroom forms show general',
    { command: 'countroom forms show general --json', description: 'Show all rules of its fields' },
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'inconclusive'] as const
  static override args = { form: Args.string({ required: true, description: 'Form code' }) }
  static override flags = { ...listFlags }
  static override data = ({ Type, chat }: Shapes) =>
    Type.Object({
      formCode: Type.String(),
      form: Type.Union([chat.Form, Type.Null()], {
        description: 'Null if the instance does not support reading forms.',
      }),
      statuses: Type.Array(
        Type.Object({
          code: Type.String(),
          label: Type.Union([Type.String(), Type.Null()]),
          category: Type.Union([Type.String(), Type.Null()]),
          next: Type.Union([Type.Array(Type.String()), Type.Null()], {
            description: 'Possible next statuses. Null if the instance does not list them.',
          }),
        }),
      ),
      knownBy: Type.Enum(['form', 'refusal']),
    })

  override async run() {
    const { args } = await this.parse(FormsShow)
    const ticketsApi = await this.services.tickets()
    const forms = (await ticketsApi.forms())?.items
    if (forms === undefined) return this.#learn(args.form)
    const form = forms.find(({ formCode }) => formCode === args.form)
    if (!form) {
      const codes = forms.map(({ formCode }) => formCode)
      const { nearest } = await import('../../src/world/config/did-you-mean.ts')
      const near = nearest(args.form, codes, 1)[0]
      throw new Problem(
        'FORM_NOT_FOUND',
        `Form "${args.form}" not found; ${near === undefined ? `available: ${codes.join(', ')}` : `did you mean "${near}"?`}`,
        { formCode: args.form, nearest: near, forms: codes, remoteCode: null },
      )
    }
    const { transitions } = form.workflow
    const active = form.workflow.statuses.filter((status) => status.active)
    const statuses = active.map(({ code, label, category }) => ({
      code,
      label,
      category,
      next: active
        .map((status) => status.code)
        .filter(
          (to) =>
            to !== code &&
            (transitions === null || transitions.some((step) => step.to === to && [code, '*'].includes(step.from))),
        ),
    }))
    this.fields({ ...form, first: form.workflow.initialStatus }, [
      { key: 'formCode', title: 'form' },
      'title',
      'version',
      { key: 'active', title: 'offered' },
      { key: 'first', title: 'initial status' },
    ])
    this.log('')
    this.table(
      form.fields.map((field) => ({
        ...field,
        wanted: field.required ? 'always' : field.requiredOnStatus.join(', '),
        choices: (field.options ?? []).map(({ value }) => value).join(', '),
      })),
      [
        { key: 'fieldCode', title: 'field', whole: true },
        'label',
        'type',
        { key: 'wanted', title: 'required' },
        { key: 'choices' },
      ],
      'No fields.',
    )
    this.log('')
    this.#tellStatuses(statuses)
    return { formCode: form.formCode, form, statuses, knownBy: 'form' as const }
  }

  async #learn(formCode: string) {
    const ticketsApi = await this.services.tickets()
    const [first] = (await listTickets(ticketsApi, { formCode }, 1)).tickets
    if (!first)
      throw new Problem('CANNOT_CONCLUDE', `Cannot learn the statuses of form ${formCode}: it has no ticket`, {
        formCode,
      })
    const { codes, knownBy } = await ticketsApi.workflowOf(first)
    const statuses = codes.map((code) => ({ code, label: null, category: null, next: null }))
    this.note('This instance does not support reading forms. The status codes come from its error response.')
    this.#tellStatuses(statuses)
    return { formCode, form: null, statuses, knownBy }
  }

  #tellStatuses(statuses: readonly { code: string; next: readonly string[] | null }[]): void {
    this.table(
      statuses.map((status) => ({ ...status, may: status.next?.join(', ') ?? '' })),
      [{ key: 'code', title: 'status', whole: true }, 'label', 'category', { key: 'may', title: 'next statuses' }],
    )
  }
}
