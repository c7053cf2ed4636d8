import { createInterface } from 'node:readline'

import { CommandError } from './command-error.ts'
import type { RuntimeEnvironment } from './terminal.ts'

/** Asks the user questions. */
export interface Prompter {
  /** Returns the answer, or the default answer if it is empty. */
  ask(question: string, defaultAnswer: string): Promise<string>
  confirm(question: string): Promise<boolean>
  close(): void
}

/** Questions go to standard error, so that standard output contains only the report. */
export function createPrompter({ stdin, stderr }: RuntimeEnvironment): Prompter {
  const lines = createInterface({ input: stdin, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async (question: string, defaultAnswer: string) => {
    stderr.write(`${question}${defaultAnswer === '' ? '' : ` [${defaultAnswer}]`} `)
    const { value, done } = await answers.next()
    if (done === true) throw new CommandError(['No answer was given. Nothing was written.'], { code: 'canceled' })
    const answer = value.trim()
    return answer === '' ? defaultAnswer : answer
  }
  return {
    ask,
    confirm: async (question) => /^y/i.test(await ask(question, 'yes')),
    close: () => lines.close(),
  }
}
