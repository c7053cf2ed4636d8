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

const ENTER = new Set(['\r', '\n', '\u0004'])
const CTRL_C = '\u0003'
const BACKSPACE = new Set(['\b', '\u007F'])

/** Asks for a secret, which a terminal does not show while it is typed. */
export async function askSecret(question: string, { stdin, stderr }: RuntimeEnvironment): Promise<string> {
  const isHidden = typeof stdin.setRawMode === 'function'
  stderr.write(`${question} `)
  if (isHidden) stdin.setRawMode(true)
  let answer = ''
  try {
    for await (const piece of stdin.iterator({ destroyOnReturn: false })) {
      for (const character of String(piece)) {
        if (character === CTRL_C)
          throw new CommandError(['No secret was given. Nothing was read.'], { code: 'canceled' })
        if (ENTER.has(character)) return answer.trim()
        answer = BACKSPACE.has(character) ? answer.slice(0, -1) : answer + character
      }
    }
    return answer.trim()
  } finally {
    if (isHidden) stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}
