import { createRun, getMe, listPersonalTokens, type Me, updateMe, uploadResults } from '@caseward/client/endpoints'

import { toCommandError, connect, expectSuccess, type Session } from '../../connect.ts'
import type { Context, CommandResult } from '../../context.ts'
import { projectSetting, readProjects } from '../../projects.ts'
import { type ConnectionOptions, readConnection, type Setting } from '../../settings.ts'
import { toTerminalText } from '../../terminal.ts'

export const NEEDS = ['read', 'write', 'upload'] as const

export interface TokenOptions extends ConnectionOptions {
  readonly project?: string
  readonly run?: string
  readonly need: (typeof NEEDS)[number]
}

/** What it may do, and why not. */
interface AccessCheck {
  readonly allowed: boolean
  readonly why: string | null
}

export async function checkToken(options: TokenOptions, context: Context): Promise<CommandResult> {
  const { around, terminal } = context
  const session = connect(await readConnection(options, around), options, context)
  const projects = await readProjects(session)
  const person = await findPerson(session)
  const wanted = projectSetting(options.project, around.env)
  const inProject =
    wanted === null ? projects : projects.filter(({ id, prefix }) => [id, prefix].includes(wanted.value))
  const [project] = inProject
  const write = await checkWriteAccess(person, project?.id, session)
  const run = runSetting(options.run, around.env)
  const upload = await checkUploadAccess(person, write, run, session)
  const expiry = person === null ? undefined : await findExpiry(session)
  const reaches = wanted === null || project !== undefined

  const needed = { read: reaches, write: reaches && write.allowed, upload: reaches && upload.allowed }[options.need]
  const named = projects.slice(0, 20).map(({ prefix, name }) => `${toTerminalText(name)} (${prefix})`)
  terminal.print([
    person === null
      ? 'A CI token.'
      : `A personal token of ${toTerminalText(person.name)} <${toTerminalText(person.email)}>.`,
    `Projects: ${named.length === 0 ? 'none' : named.join(', ')}${projects.length > 20 ? `, and ${projects.length - 20} more` : ''}`,
    ...(reaches
      ? []
      : [`It does not reach the project of ${wanted?.from ?? ''} (${toTerminalText(wanted?.value ?? '')}).`]),
    `Write: ${described(write)}`,
    `Upload: ${described(upload)}`,
    `Expires: ${expiry === undefined ? 'the server does not say' : (expiry ?? 'never')}`,
  ])
  const document = {
    kind: person === null ? 'ci' : 'personal',
    user: person === null ? null : { id: person.id, name: person.name, email: person.email },
    projects: projects.map(({ id, prefix, name }) => ({ id, prefix, name })),
    reaches_project: reaches,
    write: write.allowed,
    upload: upload.allowed,
    ...(upload.why === null ? {} : { upload_refused: upload.why }),
    expires_at: expiry ?? null,
    expiry_known: expiry !== undefined,
    sufficient: needed,
  }
  if (!needed) terminal.warn([`It may not do what is needed: ${options.need}.`])
  return { exitCode: needed ? 0 : 1, document }
}

const described = ({ allowed, why }: AccessCheck) => (allowed ? 'yes' : `no${why === null ? '' : `: ${why}`}`)

/** Whom a personal token belongs to; null for a CI token, which is nobody's. */
async function findPerson(session: Session): Promise<Me | null> {
  const reply = await session.client.call(getMe)
  if (reply.kind === 'problem' && reply.problem.code === 'personal_token_required') return null
  return expectSuccess(reply, session, {}).data.data
}

/**
 * Asks for what the server refuses for its content, after it has looked at the right: a run, or, outside of a project,
 * an account, without a name.
 */
async function checkWriteAccess(
  person: Me | null,
  projectId: string | undefined,
  session: Session,
): Promise<AccessCheck> {
  const rawBody = { contentType: 'application/json', body: '{"name":""}' }
  const reply =
    projectId === undefined && person !== null
      ? await session.client.call(updateMe, { rawBody })
      : await session.client.call(createRun, { params: { project_id: projectId ?? '-' }, rawBody })
  if (reply.kind === 'success' || (reply.kind === 'problem' && reply.status === 400))
    return { allowed: true, why: null }
  if (reply.kind === 'problem' && reply.status === 403)
    return { allowed: false, why: toTerminalText(reply.problem.detail) }
  if (reply.kind === 'problem' && reply.status === 404) return { allowed: false, why: 'it reaches no project' }
  throw toCommandError(reply, session.connection, {})
}

function runSetting(given: string | undefined, env: NodeJS.ProcessEnv): Setting | null {
  const value = given ?? env['SERVICE_RUN_ID']?.trim()
  if (value === undefined || value === '') return null
  return { value, from: given === undefined ? 'SERVICE_RUN_ID' : '--run' }
}

/** With a run, as an upload of nothing that stores nothing. */
async function checkUploadAccess(
  person: Me | null,
  write: AccessCheck,
  run: Setting | null,
  session: Session,
): Promise<AccessCheck> {
  if (person !== null) return { allowed: false, why: 'uploads need a CI token (cwc_…) of the project' }
  if (run === null) return write
  const body = { run_id: run.value, results: [], dry_run: true }
  const reply = await session.client.call(uploadResults, { body })
  if (reply.kind === 'success') return { allowed: true, why: null }
  const failure = toCommandError(reply, session.connection, { run, upload: true })
  if (reply.kind !== 'problem' || reply.status >= 500 || reply.status === 429) throw failure
  return { allowed: false, why: failure.message }
}

/** When it expires; null for never, undefined where it cannot be known: nothing tells which of several it is. */
async function findExpiry(session: Session): Promise<string | null | undefined> {
  const reply = await session.client.call(listPersonalTokens)
  if (reply.kind !== 'success') return undefined
  const times = new Set(reply.data.data.map(({ expires_at }) => expires_at))
  const [time] = times
  return times.size === 1 ? time : undefined
}
