/** The platform's form of a time; others are left to the engine. */
const platformForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$/
const minuteLength = 'YYYY-MM-DDTHH:MM:'.length
const platformSeconds = /[0-5][0-9][.][0-9]{3}Z$/y

/**
 * Returns a function that parses the times of one field as `Date.parse` does, to epoch milliseconds or NaN. Records that follow
 * each other share their minute, which is parsed once: that takes half the time.
 */
export function createMomentReader(): (text: string) => number {
  /** The latest minute, with the colon after it. */
  let minute = 'none'
  let minuteAt = Number.NaN
  return (text) => {
    if (!text.startsWith(minute) || !hasPlatformSeconds(text)) {
      if (!platformForm.test(text)) return Date.parse(text)
      minute = text.slice(0, minuteLength)
      minuteAt = Date.parse(`${minute}00.000Z`)
    }
    const seconds = 10 * digitAt(text, 17) + digitAt(text, 18)
    return minuteAt + 1000 * seconds + 100 * digitAt(text, 20) + 10 * digitAt(text, 21) + digitAt(text, 22)
  }
}

function hasPlatformSeconds(text: string): boolean {
  platformSeconds.lastIndex = minuteLength
  return platformSeconds.test(text)
}

const digitAt = (text: string, at: number): number => text.charCodeAt(at) - zero
const zero = 48
