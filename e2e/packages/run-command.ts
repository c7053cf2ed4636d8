import { spawn } from 'node:child_process'

interface CommandOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command to its end, without the environment of npm scripts, which would change what package managers do. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: CommandOptions,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const { PATH, HOME, npm_config_cache, NODE_EXTRA_CA_CERTS } = process.env
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, npm_config_cache, NODE_EXTRA_CA_CERTS, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const exitCode = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  return { exitCode, ...output }
}

/** @throws when the exit code is not 0 */
export async function runOrThrow(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(command, args, options)
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}
