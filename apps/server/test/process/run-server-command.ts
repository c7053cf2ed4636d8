import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { onTestFinished } from 'vitest'

import { runCommand as runServerCommand } from '../../src/commands/run-command.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface CommandResult {
  /** Null when a signal ended it. */
  exitCode: number | null
  stdout: string
  stderr: string
}

/**
 * Starts a command of the built server, as the person with access to it does.
 * @param limit an argument of `ulimit`, such as `-f 1`
 */
export function startCommand(
  args: string[],
  settings: Record<string, string>,
  limit?: string,
): { child: ChildProcess; result: Promise<CommandResult> } {
  const script = `${limit === undefined ? '' : `ulimit ${limit} && `}exec "$0" "$@"`
  const child = spawn('sh', ['-c', script, process.execPath, main, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const result = new Promise<CommandResult>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, ...output }))
  })
  return { child, result }
}

/** Runs a command of the built server to its end. */
export const runCommandProcess = (
  args: string[],
  settings: Record<string, string>,
  limit?: string,
): Promise<CommandResult> => startCommand(args, settings, limit).result

/**
 * Runs a command of the server to its end in this process, because loading the server takes many times as long as most
 * commands. What only a process has, such as signals and an embedded database of its own, needs {@link runCommandProcess}.
 */
export async function runCommand(args: string[], settings: Record<string, string>): Promise<CommandResult> {
  const result = { stdout: '', stderr: '' }
  const output = {
    print: (text: string) => void (result.stdout += `${text}\n`),
    printError: (text: string) => void (result.stderr += `${text}\n`),
    showProgress: () => {},
  }
  const exitCode = await runServerCommand(args, settings, output, new AbortController().signal)
  return { exitCode, ...result }
}
