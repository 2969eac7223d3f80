import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { readJsonInput } from '../../../../src/cli/terminal/read-input.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { lookFields } from '../../../../src/cli/topics/console/look-fields.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { colorSpellings, isColor } from '../../../../src/services/chat/widget/color.ts'

export default class ConsoleChatWidgetSet extends CountroomCommand {
  static override summary = "Set the default look and the menus of a merchant's widget"
  static override description =
    'Takes effect within 1 minute, the time browsers cache the settings. A menu belongs to an inbox category: pages with that data-inbox-category-code show it. The menu file is a JSON list of { "label", "message" } (sends the message) and { "label", "url" } (opens the page). An empty list removes the menu.'
  static override examples = [
    'countroom console chat widget set DEMO --color "#7a1f3d" --theme dark --greeting "How can we help?"',
    'countroom console chat widget set DEMO --language es --greeting "¿En qué podemos ayudarle?"',
    {
      command:
        'countroom console chat widget set DEMO --hours "Mon-Fri 09:00-18:00" --zone Europe/London --reply-time 5m',
      description: 'Set the office hours, which follow daylight saving time',
    },
    {
      command: 'countroom console chat widget set DEMO --menu menu.json --inbox vip',
      description: 'Set the menu for VIPs',
    },
  ]
  static override exits = ['not-found'] as const
  static override completes = { menu: 'files' }
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    color: Flags.string({ summary: 'Color: CSS name, #rrggbb, rgb() or hsl()', helpValue: 'COLOR' }),
    theme: Flags.string({ summary: "Color theme; auto follows the customer's system", options: [...themes()] }),
    label: Flags.string({ summary: 'Text of the launcher button; "" for none', helpValue: 'TEXT' }),
    greeting: Flags.string({ summary: 'First text of an empty conversation; "" for none', helpValue: 'TEXT' }),
    menu: Flags.string({ summary: 'Menu file (JSON), or - for stdin', helpValue: 'FILE|-' }),
    language: Flags.string({
      summary: 'Language of --greeting, --label and --menu (default: all languages without their own texts)',
      helpValue: 'TAG',
    }),
    hours: Flags.string({
      summary: 'Office hours, such as "Mon-Fri 09:00-18:00, Sat 10:00-14:00"; "" for none',
      helpValue: 'TEXT',
    }),
    zone: Flags.string({ summary: 'Time zone of the office hours (default UTC)', helpValue: 'ZONE' }),
    'reply-time': Flags.string({ summary: 'Usual time until a reply, such as 5m; "" for none', helpValue: 'DURATION' }),
    inbox: Flags.string({
      summary: 'Inbox category of the menu (default "default")',
      helpValue: 'CODE',
      dependsOn: ['menu'],
    }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => shapes.Type.Object(lookFields(shapes))

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatWidgetSet)
    const { color, label, greeting, menu, inbox = 'default' } = flags
    const theme = themes().find((each) => each === flags.theme)
    const { hours, zone, language, 'reply-time': replyTime } = flags
    if ([color, theme, label, greeting, menu, hours, zone, replyTime].every((each) => each === undefined))
      throw new Problem(
        'INVALID_USAGE',
        'Nothing to set: pass --color, --theme, --label, --greeting, --menu, --hours, --zone or --reply-time',
      )
    if (language !== undefined && [label, greeting, menu].every((each) => each === undefined))
      throw new Problem('INVALID_USAGE', '--language needs --label, --greeting or --menu')
    if (color !== undefined && !isColor(color))
      throw new Problem('INVALID_USAGE', `--color ${JSON.stringify(color)} is invalid: use ${colorSpellings}`)
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(inbox))
      throw new Problem(
        'INVALID_USAGE',
        `An inbox category code has 1 to 64 letters, digits, _ or -; received ${inbox}`,
      )
    for (const [name, text, maxLength] of [
      ['--label', label, 60],
      ['--greeting', greeting, 1_000],
    ] as const)
      if (text !== undefined && text.length > maxLength)
        throw new Problem('INVALID_USAGE', `${name} must have at most ${maxLength} characters`)
    const entries = menu === undefined ? undefined : menuFrom(await readJsonInput(menu), menu)
    const { chat } = await this.services.world()
    const { setWidget } = await import('../../../../src/cli/topics/console/widget-set.ts')
    const { data, shown } = await setWidget(chat, args.code.toUpperCase(), {
      color,
      theme,
      label,
      greeting,
      menu: entries && { inbox, entries },
      language,
      hours,
      zone,
      replyTime,
    })
    this.fields(shown)
    return data
  }
}

function themes() {
  return ['light', 'dark', 'auto'] as const
}

const maxEntries = 8

/** Returns the entries of a menu file. Reports all errors of the file at once. */
function menuFrom(value: unknown, source: string) {
  const faults: string[] = []
  const entries = (Array.isArray(value) ? value : []).map((each: unknown, i) => {
    const entry = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
    const { label, message, url, ...unknown } = entry
    const fault = (text: string) => faults.push(`entry ${i + 1} ${text}`)
    if (typeof label !== 'string' || label.trim() === '' || label.length > 60)
      fault('needs a "label" of 1 to 60 characters')
    if (message !== undefined && (typeof message !== 'string' || message.trim() === '' || message.length > 4_000))
      fault('needs a "message" of 1 to 4000 characters')
    if (url !== undefined && (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)))
      fault('needs a "url" that is an https address')
    if (message !== undefined && url !== undefined) fault('has both "message" and "url"')
    for (const name of Object.keys(unknown)) fault(`has an unknown key "${name}"`)
    return {
      label: String(label),
      ...(message === undefined ? {} : { message: String(message) }),
      ...(url === undefined ? {} : { url: String(url) }),
    }
  })
  if (!Array.isArray(value)) faults.push('the file must contain a list')
  if (entries.length > maxEntries) faults.push(`it has more than ${maxEntries} entries`)
  if (faults.length > 0)
    throw new Problem('INVALID_FILE', `${source} is not a valid menu: ${faults.join('; ')}`, { file: source })
  return entries
}
