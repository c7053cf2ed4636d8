import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { measureStep } from './measured-steps.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const caseward = join(root, 'packages/cli/bin/caseward.js')

/**
 * Builds the command, because tests run it from `dist` and a stale build must not make a test pass. For the tests in `e2e`, it is
 * built once, together with the packages that they install.
 */
export async function buildCommand(): Promise<void> {
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: root })
  await run(join(root, 'node_modules/.bin/tsc'), '-b', 'packages/cli')
  await run(process.execPath, 'scripts/bundle-packages.mjs')
}

export interface CommandOutput {
  exitCode: number | null
  stdout: string
  stderr: string
}

interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
}

/** Creates a runner of the `caseward` command in a directory of its own, with no more environment than `PATH`. */
export async function createCommandRunner() {
  const cwd = await mkdtemp(join(tmpdir(), 'caseward-cli-'))
  const run = async (
    args: readonly string[],
    { env = {}, input = '' }: CommandOptions = {},
  ): Promise<CommandOutput> => {
    const child = spawn(process.execPath, [caseward, ...args], { cwd, env: { PATH: process.env['PATH'], ...env } })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.stdin.end(input)
    const exitCode = await measureStep(
      'command',
      () => new Promise<number | null>((resolve) => child.on('close', resolve)),
    )
    return { exitCode, ...output }
  }
  return { cwd, run, remove: () => rm(cwd, { recursive: true }) }
}
