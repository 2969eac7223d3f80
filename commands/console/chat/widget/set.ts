import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import { readJsonInput } from '../../../../src/cli/terminal/read-input.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { WorldCommand } from '../../../../src/cli/topics/console/command.ts'
import { lookData, lookFields, menusText } from '../../../../src/cli/topics/console/widget-view.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatWidgetSet extends WorldCommand {
  static override summary = "Set how a merchant's widget looks where the page says nothing else, and its menus"
  static override description =
    'Takes effect within a minute, which is how long browsers keep it. A menu belongs to an inbox category: pages with that data-inbox-category-code show it. Its file is a JSON list of { "label", "message" }, said for the customer with one tap, or { "label", "url" }, opened; an empty list takes the menu away.'
  static override examples = [
    'countroom console chat widget set DEMO --color "#7a1f3d" --theme dark --greeting "How can we help?"',
    {
      command: 'countroom console chat widget set DEMO --menu menu.json --inbox vip',
      description: 'What VIPs may choose from',
    },
  ]
  static override exits = ['not-found'] as const
  static override completes = { menu: 'files' }
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    color: Flags.string({ summary: 'Color: a CSS name, #rrggbb, rgb() or hsl()', helpValue: 'COLOR' }),
    theme: Flags.string({ summary: 'Light, dark, or as the customer’s system has it', options: [...themes()] }),
    label: Flags.string({ summary: 'The words on the launcher; none with ""', helpValue: 'TEXT' }),
    greeting: Flags.string({ summary: 'What an empty conversation begins with; nothing with ""', helpValue: 'TEXT' }),
    menu: Flags.string({ summary: 'The file of a menu, or -', helpValue: 'FILE' }),
    inbox: Flags.string({
      summary: 'The inbox category of the menu; default without',
      helpValue: 'CODE',
      dependsOn: ['menu'],
    }),
    ...dryRunFlag,
  }
  static override data = async () => (await import('typebox')).Type.Object(await lookFields())

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatWidgetSet)
    const { color, label, greeting, menu, inbox = 'default' } = flags
    const theme = themes().find((each) => each === flags.theme)
    if ([color, theme, label, greeting, menu].every((each) => each === undefined))
      throw new Problem('INVALID_USAGE', 'Say what to set: --color, --theme, --label, --greeting or --menu')
    if (color !== undefined) {
      const { colorSpellings, isColor } = await import('../../../../src/services/chat/widget/color.ts')
      if (!isColor(color))
        throw new Problem('INVALID_USAGE', `--color ${JSON.stringify(color)} is invalid: use ${colorSpellings}`)
    }
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(inbox))
      throw new Problem('INVALID_USAGE', `An inbox category's code is 1 to 64 letters, digits, _ or -, not ${inbox}`)
    for (const [name, text, most] of [
      ['--label', label, 60],
      ['--greeting', greeting, 1_000],
    ] as const)
      if (text !== undefined && text.length > most)
        throw new Problem('INVALID_USAGE', `${name} is at most ${most} characters long`)
    const entries = menu === undefined ? undefined : menuFrom(await readJsonInput(menu), menu)
    const { chat } = await this.world()
    const { setLook } = await import('../../../../src/services/chat/admin.ts')
    const look = await setLook(chat, args.code.toUpperCase(), {
      ...(color === undefined ? {} : { primaryColor: color }),
      ...(theme === undefined ? {} : { theme }),
      ...(label === undefined ? {} : { launcherLabel: label || null }),
      ...(greeting === undefined ? {} : { greeting: greeting || null }),
      ...(entries === undefined ? {} : { menus: { [inbox]: entries } }),
    })
    this.fields({ ...look, menus: menusText(look), socialChannels: look.socialChannels.length })
    return lookData(look)
  }
}

function themes() {
  return ['light', 'dark', 'auto'] as const
}

const mostEntries = 8

/** The entries in a menu's file; all that is wrong with them is told at once. */
function menuFrom(value: unknown, where: string) {
  const faults: string[] = []
  const entries = (Array.isArray(value) ? value : []).map((each: unknown, i) => {
    const entry = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
    const { label, message, url, ...unknown } = entry
    const fault = (what: string) => faults.push(`entry ${i + 1} ${what}`)
    if (typeof label !== 'string' || label.trim() === '' || label.length > 60)
      fault('needs a "label" of 1 to 60 characters')
    if (message !== undefined && (typeof message !== 'string' || message.trim() === '' || message.length > 4_000))
      fault('has a "message" that is no text of 1 to 4000 characters')
    if (url !== undefined && (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)))
      fault('has a "url" that is no https address')
    if (message !== undefined && url !== undefined) fault('has both "message" and "url"')
    for (const name of Object.keys(unknown)) fault(`has an unknown key "${name}"`)
    return {
      label: String(label),
      ...(message === undefined ? {} : { message: String(message) }),
      ...(url === undefined ? {} : { url: String(url) }),
    }
  })
  if (!Array.isArray(value)) faults.push('it is no list')
  if (entries.length > mostEntries) faults.push(`it has more than ${mostEntries} entries`)
  if (faults.length > 0) throw new Problem('INVALID_FILE', `${where} is no menu: ${faults.join('; ')}`, { file: where })
  return entries
}
