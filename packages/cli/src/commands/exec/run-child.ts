import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'

import { getErrorCode } from '../../read-input.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'
import { getErrorMessage } from '../../text.ts'
import { findProgram } from './find-program.ts'
import { createOutputTail, type OutputTail } from './output-tail.ts'

/** How a command ended. */
export interface ChildResult {
  /** As shells count: 128 and its number for a signal, 127 for an unknown command. */
  readonly exitCode: number
  /** Says how it ended: `ended with exit code 1`. */
  readonly description: string
  readonly stderr: OutputTail
}

interface ChildOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Whether standard output is for a program that reads JSON: that of the command goes to standard error. */
  readonly json: boolean
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A process that the command has left behind may keep its output open. */
const MAX_OUTPUT_DELAY_MS = 2000

/** Runs a command with the input and output of this process, and passes signals on to it. */
export async function runChild(
  command: readonly string[],
  { env, cwd, json }: ChildOptions,
  { stdin, stderr }: Pick<RuntimeEnvironment, 'stdin' | 'stderr'>,
): Promise<ChildResult> {
  const { file, args, isVerbatim } = findProgram(command, { platform: process.platform, env })
  const tail = createOutputTail()
  // Standard error is read here, so that the command sees no terminal there.
  const colors = stderr.isTTY && !env['NO_COLOR'] && !env['FORCE_COLOR'] ? { FORCE_COLOR: '1' } : {}
  let child: ChildProcess | undefined
  // Before the command is started: a signal in between would end this process alone.
  const listeners = SIGNALS.map((signal) => {
    // The terminal sends Ctrl-C to the command as well: twice, it would end without cleaning up.
    const listener = () => void (signal === 'SIGINT' && stdin.isTTY ? null : child?.kill(signal))
    process.on(signal, listener)
    return { signal, listener }
  })
  try {
    child = spawn(file, args, {
      cwd,
      env: { ...env, ...colors },
      stdio: ['inherit', json ? 2 : 'inherit', 'pipe'],
      windowsVerbatimArguments: isVerbatim,
    })
    child.stderr?.on('data', (chunk: Buffer) => tail.add(chunk))
    child.stderr?.pipe(stderr, { end: false })
    return await waitForEnd(child, tail)
  } catch (error) {
    return toStartFailure(error, tail)
  } finally {
    for (const { signal, listener } of listeners) process.off(signal, listener)
  }
}

function waitForEnd(child: ChildProcess, tail: OutputTail): Promise<ChildResult> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(toStartFailure(error, tail))
    })
    child.once('exit', (code, signal) => {
      const result = toResult(code, signal, tail)
      const timer = setTimeout(() => {
        child.stderr?.destroy()
        resolve(result)
      }, MAX_OUTPUT_DELAY_MS)
      child.once('close', () => {
        clearTimeout(timer)
        resolve(result)
      })
    })
  })
}

function toResult(code: number | null, signal: NodeJS.Signals | null, stderr: OutputTail): ChildResult {
  if (signal !== null) {
    return { exitCode: 128 + constants.signals[signal], description: `was ended by ${signal}`, stderr }
  }
  const exitCode = code ?? 1
  return { exitCode, description: `ended with exit code ${exitCode}`, stderr }
}

function toStartFailure(error: unknown, stderr: OutputTail): ChildResult {
  const isUnknown = getErrorCode(error) === 'ENOENT'
  const reason = isUnknown ? 'the command was not found' : getErrorMessage(error)
  return { exitCode: isUnknown ? 127 : 126, description: `could not be started: ${reason}`, stderr }
}
