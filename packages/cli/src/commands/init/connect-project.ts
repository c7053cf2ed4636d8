import { getMe } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { connect, type Connection } from '../../connect.ts'
import type { Context } from '../../context.ts'
import type { Prompter } from '../../prompt.ts'
import { readProjects } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'

/** The server, and the project that the token belongs to. */
export interface ProjectConnection {
  readonly connection: Connection
  readonly projectId: string
  readonly projectName: string
}

export interface ServerOptions extends Partial<ConnectionOptions> {
  readonly token?: string
}

/** The address is known without a connection if no token is given. */
export interface ServerAnswers {
  readonly url: string
  readonly server: ProjectConnection | null
}

/**
 * Reads the address and the token from the options, the environment or the answers of the user, and checks both. At a
 * terminal, a wrong answer is asked again; an empty one skips the check.
 * @throws {CommandError} when the server cannot be reached, or the token is not a CI token
 */
export async function connectProject(
  options: ServerOptions,
  prompter: Prompter | null,
  context: Context,
): Promise<ServerAnswers> {
  const { env } = context.runtime
  const defaultUrl = options.url ?? env['SERVICE_URL'] ?? ''
  const knownToken = options.token ?? env['SERVICE_TOKEN'] ?? ''
  const hasToken = knownToken !== '' || options.tokenFile !== undefined
  if (prompter === null) {
    if (defaultUrl === '' || !hasToken) return { url: defaultUrl, server: null }
    return { url: defaultUrl, server: await check(options, { url: defaultUrl, token: knownToken }, context) }
  }
  for (let isFirst = true; ; isFirst = false) {
    const url = isFirst && options.url !== undefined ? options.url : await prompter.ask(URL_QUESTION, defaultUrl)
    if (url === '') return { url, server: null }
    const token = isFirst && hasToken ? knownToken : await prompter.ask(TOKEN_QUESTION, '')
    if (token === '' && options.tokenFile === undefined) return { url, server: null }
    try {
      return { url, server: await check(isFirst ? options : {}, { url, token }, context) }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      context.terminal.error(error.lines)
    }
  }
}

const URL_QUESTION = 'Address of your Caseward server?'
const TOKEN_QUESTION = 'CI token of your project (cwc_…, from the project settings; empty to skip)?'

async function check(
  { tokenFile, retries = 1 }: ServerOptions,
  { url, token }: { url: string; token: string },
  context: Context,
): Promise<ProjectConnection> {
  const { runtime } = context
  const env = { ...runtime.env, SERVICE_TOKEN: token }
  const settings = await readServerSettings(
    { url, ...(tokenFile === undefined ? {} : { tokenFile }) },
    { ...runtime, env, cwd: () => runtime.cwd() },
  )
  const connection = connect(settings, { retries }, context)
  const [project] = await readProjects(connection)
  const me = await connection.client.call(getMe)
  if (me.kind === 'success') {
    throw new CommandError(
      [
        'This is a personal token, but reporters require a CI token (cwc_…).',
        'A project admin can create one in the project settings.',
      ],
      { code: 'ci_token_required' },
    )
  }
  if (project === undefined) throw new CommandError(['The token has access to no project.'], { code: 'not_found' })
  return { connection, projectId: project.id, projectName: project.name }
}
