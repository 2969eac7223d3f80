import { Problem } from '../../kit/problem.ts'
import { stopFromPrompt, stopSignal } from '../outcome/signals.ts'
import type { Screen } from './screen.ts'
import { oneLine } from './text.ts'

/** A question, and the flag that answers it where there is no terminal. */
export interface Question {
  readonly message: string
  /** Subject of the question, for the error where there is no terminal. */
  readonly subject?: string
  /** As typed: `--from FILE`. */
  readonly flag: string
}

export interface Prompts {
  text(question: Question & { default?: string; check?: (value: string) => true | string }): Promise<string>
  /** Typed letters are masked. */
  secret(question: Question): Promise<string>
  /** Enter alone answers no. There is no time-out. */
  confirm(question: Question): Promise<boolean>
  choose<T extends string>(question: Question & { choices: readonly T[]; default?: T }): Promise<T>
}

/**
 * Opens the prompts. They are written to stderr, so that a result can still be piped. Without a terminal the run ends and
 * names the command that answers. A message may contain a customer's name: it is kept on one line and without control characters.
 */
export function openPrompts(screen: Screen, commandWith: (flag: string) => string): Prompts {
  const ask = async <T>({ message: text, subject, flag }: Question, prompt: object): Promise<T> => {
    const message = oneLine(text)
    if (!screen.canAsk) {
      const about = oneLine(subject ?? text.replace(/[?:]$/, ''))
      throw new Problem('CONFIRMATION_NEEDED', `No terminal to ask on: ${about}. Run: ${commandWith(flag)}`, { flag })
    }
    const { default: inquirer } = await import('inquirer')
    const put = inquirer.createPromptModule({ output: process.stderr, signal: stopSignal })
    try {
      const answers: { answer: unknown } = await put([{ ...prompt, name: 'answer', message } as never])
      return answers.answer as T
    } catch (error) {
      const name = error instanceof Error ? error.name : ''
      if (name !== 'ExitPromptError' && name !== 'AbortPromptError') throw error
      if (name === 'ExitPromptError') stopFromPrompt()
      throw new Problem('INTERRUPTED', 'Stopped before an answer was entered', {}, { cause: error })
    }
  }
  return {
    text: ({ check, ...question }) =>
      ask(question, {
        type: 'input',
        ...defaultOption(question.default),
        validate: (value: string) => (value === '' ? 'Enter a value' : (check?.(value) ?? true)),
      }),
    secret: (question) => ask(question, { type: 'password', mask: true }),
    confirm: (question) => ask(question, { type: 'confirm', default: false }),
    choose: (question) =>
      ask(question, {
        type: 'select',
        choices: question.choices.map((value) => ({ value, name: oneLine(value) })),
        ...defaultOption(question.default),
      }),
  }
}

const defaultOption = (value: string | undefined) => (value === undefined ? {} : { default: value })
