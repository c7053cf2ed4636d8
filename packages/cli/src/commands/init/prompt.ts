import { createInterface } from 'node:readline'

import { Failure } from '../../context.ts'
import type { Surroundings } from '../../terminal.ts'

/** Asks people. */
export interface Asker {
  /** An answer, or what counts where nothing is said. */
  ask(question: string, otherwise: string): Promise<string>
  confirm(question: string): Promise<boolean>
  close(): void
}

/** Questions go to standard error, so that the report stays for itself. */
export function createAsker({ stdin, stderr }: Surroundings): Asker {
  const lines = createInterface({ input: stdin, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async (question: string, otherwise: string) => {
    stderr.write(`${question}${otherwise === '' ? '' : ` [${otherwise}]`} `)
    const { value, done } = await answers.next()
    if (done === true) throw new Failure(['There was no answer: nothing was written.'], { code: 'cancelled' })
    const answer = value.trim()
    return answer === '' ? otherwise : answer
  }
  return {
    ask,
    confirm: async (question) => /^y/i.test(await ask(question, 'yes')),
    close: () => lines.close(),
  }
}
