import { PassThrough } from 'node:stream'

import { run } from '../../packages/cli/src/main.ts'
import type { RuntimeEnvironment } from '../../packages/cli/src/terminal.ts'

interface TestRuntime {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** The whole standard input. */
  readonly input?: string | Uint8Array
  /** Whether standard input is a terminal, where the command can ask questions. */
  readonly isTerminal?: boolean
}

/** Runs the command in this process: starting another takes ten times as long as most commands. */
export async function runInProcess(
  args: readonly string[],
  { cwd, env = {}, input = '', isTerminal = false }: TestRuntime,
) {
  const output = { stdout: '', stderr: '' }
  const collect = (name: keyof typeof output) =>
    new PassThrough().setEncoding('utf8').on('data', (text: string) => (output[name] += text))
  const streams = {
    stdin: Object.assign(new PassThrough(), { isTTY: isTerminal }),
    stdout: collect('stdout'),
    stderr: collect('stderr'),
  }
  streams.stdin.end(input)
  const exitCode = await run(args, { ...streams, env, cwd: () => cwd } as unknown as RuntimeEnvironment)
  return { exitCode, ...output }
}
