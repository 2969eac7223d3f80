import type { Strings } from '../context.ts'
import type { Core } from '../conversation/core.ts'

/** Returns the text that says when the office opens, or how long a reply usually takes. */
export function officeText(core: Core, strings: Strings): string {
  const { hours, replyMinutes } = core.ctx.config
  const { locale } = core
  if (hours && !hours.isOpen) {
    const time = { weekday: 'long', hour: 'numeric', minute: '2-digit' } as const
    const opens = hours.changesAt && new Date(hours.changesAt).toLocaleString(locale, time)
    return strings.closedNow.replace('%', () => opens || '–')
  }
  return replyMinutes ? strings.replyTime.replace('%', () => durationText(locale, replyMinutes)) : ''
}

function durationText(locale: string, minutes: number): string {
  const whole = (of: number) => minutes % of === 0
  const [count, unit] = whole(1440) ? [minutes / 1440, 'day'] : whole(60) ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
