import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { runInProcess } from '../cli/run-in-process.ts'

/** How a shell starts a program. */
export interface ProgramStart {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ProgramResult {
  readonly exitCode: number
  readonly output: string
}

export type Program = (start: ProgramStart) => Promise<ProgramResult>

/** Runs programs that a shell starts in this process: starting Node.js takes ten times as long as what most of them do. */
export interface Launcher {
  /** Returns the script that a shell starts instead of a program. It prints to standard error alone. */
  buildScript(name: string): string
  close(): Promise<void>
}

/** The command, in this process. */
export async function runCaseward({ args, cwd, env }: ProgramStart): Promise<ProgramResult> {
  const { exitCode, stdout, stderr } = await runInProcess(args, { cwd, env })
  return { exitCode, output: stdout + stderr }
}

/** @param programs the programs by name; they get the arguments, the directory and the environment that the shell has set */
export async function startLauncher(programs: Readonly<Record<string, Program>>): Promise<Launcher> {
  const launch = async (request: IncomingMessage): Promise<string> => {
    const program = programs[request.url?.slice(1) ?? '']
    if (program === undefined) throw new Error(`There is no program ${request.url}.`)
    const { exitCode, output } = await program(parseStart(await buffer(request)))
    return `${exitCode}\n${output}`
  }
  const server = createServer((request, response) => {
    launch(request).then(
      (reply) => response.end(reply),
      (error: unknown) => response.end(`125\n${String(error)}`),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    buildScript: (name) => `#!/bin/sh
reply=$({ printf '%s\\0' "$PWD" "$#" "$@"; env -0; } |
  curl --silent --show-error --noproxy '*' --data-binary @- http://127.0.0.1:${port}/${name}) || exit 125
printf '%s\\n' "\${reply#*
}" >&2
exit "\${reply%%
*}"
`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Parses what the script sends: the directory, the number of arguments, the arguments and the variables. */
function parseStart(body: Buffer): ProgramStart {
  const [cwd = '', count = '', ...others] = body.toString('utf8').split('\0')
  const variables = others.slice(Number(count), -1).map((line) => {
    const end = line.indexOf('=')
    return [line.slice(0, end), line.slice(end + 1)]
  })
  return { cwd, args: others.slice(0, Number(count)), env: Object.fromEntries(variables) as Record<string, string> }
}
