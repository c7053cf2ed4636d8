import { existsSync } from 'node:fs'
import { win32 } from 'node:path'

/** What is started: `spawn(file, args, { windowsVerbatimArguments: isVerbatim })`. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly isVerbatim: boolean
}

interface System {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly exists: (path: string) => boolean
}

/**
 * Finds the program of a command. On Windows, `npx` and the like are batch files, which only `cmd.exe` can start: the
 * arguments are escaped so that it passes them on unchanged.
 */
export function findProgram(
  [command = '', ...args]: readonly string[],
  { platform, env, exists = existsSync }: Omit<System, 'exists'> & Partial<System>,
): Program {
  const found = platform === 'win32' ? findOnWindows(command, env, exists) : null
  if (found === null || !/\.(?:bat|cmd)$/i.test(found)) return { file: found ?? command, args, isVerbatim: false }
  // The batch files of packages pass their arguments on to another command line.
  const isShim = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(found)
  const line = [escapeMeta(win32.normalize(found)), ...args.map((arg) => escapeArgument(arg, isShim))].join(' ')
  return { file: getVariable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true }
}

function findOnWindows(command: string, env: System['env'], exists: System['exists']): string | null {
  const extensions = (getVariable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((text) => text !== '')
  const directories = /[\\/]/.test(command) ? [''] : (getVariable(env, 'PATH') ?? '').split(';')
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()))
  for (const directory of directories) {
    for (const extension of hasExtension ? [''] : extensions) {
      const path = win32.join(directory.replace(/^"(.*)"$/, '$1'), `${command}${extension}`)
      if (exists(path)) return path
    }
  }
  return null
}

/** Names of variables are case-insensitive on Windows. */
const getVariable = (env: System['env'], name: string): string | undefined =>
  Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]

const escapeMeta = (text: string): string => text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&')

function escapeArgument(text: string, isTwice: boolean): string {
  // Backslashes count only before a quote.
  const quoted = `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  return isTwice ? escapeMeta(escapeMeta(quoted)) : escapeMeta(quoted)
}
