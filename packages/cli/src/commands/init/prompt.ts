import { createInterface } from 'node:readline'

import { CommandError } from '../../context.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'

/** Asks people. */
export interface Prompter {
  /** An answer, or what counts where nothing is said. */
  ask(question: string, defaultAnswer: string): Promise<string>
  confirm(question: string): Promise<boolean>
  close(): void
}

/** Questions go to standard error, so that the report stays for itself. */
export function createPrompter({ stdin, stderr }: RuntimeEnvironment): Prompter {
  const lines = createInterface({ input: stdin, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async (question: string, defaultAnswer: string) => {
    stderr.write(`${question}${defaultAnswer === '' ? '' : ` [${defaultAnswer}]`} `)
    const { value, done } = await answers.next()
    if (done === true) throw new CommandError(['There was no answer: nothing was written.'], { code: 'cancelled' })
    const answer = value.trim()
    return answer === '' ? defaultAnswer : answer
  }
  return {
    ask,
    confirm: async (question) => /^y/i.test(await ask(question, 'yes')),
    close: () => lines.close(),
  }
}
