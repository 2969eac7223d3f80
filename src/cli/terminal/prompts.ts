import { Problem } from '../../kit/problem.ts'
import { stopFromPrompt, stopSignal } from '../outcome/signals.ts'
import type { Screen } from './screen.ts'
import { oneLine } from './text.ts'

/** What is asked, and the flag that answers it where nobody can be asked. */
export interface Question {
  readonly message: string
  /** As it is typed: `--from FILE`. */
  readonly flag: string
}

export interface Prompts {
  text(question: Question & { default?: string; check?: (value: string) => true | string }): Promise<string>
  /** The typed letters are not shown. */
  secret(question: Question): Promise<string>
  /** No is the answer of a plain Enter. There is no answer by waiting. */
  confirm(question: Question): Promise<boolean>
  choose<T extends string>(question: Question & { choices: readonly T[]; default?: T }): Promise<T>
}

/**
 * Asks on stderr, so that a result can still be piped. Off a terminal nothing is asked: the run ends and names the flag.
 * What is asked may bear a customer's name: it stays one line, and nothing in it steers the terminal.
 */
export function openPrompts(screen: Screen): Prompts {
  const ask = async <T>(
    question: Question,
    put: (library: typeof import('@inquirer/prompts'), message: string) => Promise<T>,
  ): Promise<T> => {
    const message = oneLine(question.message)
    if (!screen.canAsk) {
      throw new Problem('CONFIRMATION_NEEDED', `${message} Nobody can be asked here: say it with ${question.flag}`, {
        flag: question.flag,
      })
    }
    try {
      return await put(await import('@inquirer/prompts'), message)
    } catch (error) {
      const name = error instanceof Error ? error.name : ''
      if (name !== 'ExitPromptError' && name !== 'AbortPromptError') throw error
      if (name === 'ExitPromptError') stopFromPrompt()
      throw new Problem('INTERRUPTED', 'Stopped before an answer was given', {}, { cause: error })
    }
  }
  const context = { output: process.stderr, signal: stopSignal }
  return {
    text: (question) =>
      ask(question, ({ input }, message) =>
        input(
          {
            message,
            ...(question.default === undefined ? {} : { default: question.default }),
            validate: (value) => (value === '' ? 'Something must be said here' : (question.check?.(value) ?? true)),
          },
          context,
        ),
      ),
    secret: (question) => ask(question, ({ password }, message) => password({ message, mask: true }, context)),
    confirm: (question) => ask(question, ({ confirm }, message) => confirm({ message, default: false }, context)),
    choose: (question) =>
      ask(question, ({ select }, message) =>
        select(
          {
            message,
            choices: question.choices.map((value) => ({ value, name: oneLine(value) })),
            ...(question.default === undefined ? {} : { default: question.default }),
          },
          context,
        ),
      ),
  }
}
