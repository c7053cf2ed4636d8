import { getMe, listPersonalTokens, type Me, type ProjectListItem } from '@caseward/client/endpoints'
import { matchProjects } from '@caseward/ci-run/match-projects'
import { type Command, Option } from 'commander'

import { connect, type Connection, expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, readProjects } from '../../projects.ts'
import { type ConnectionOptions, findSetting, readServerSettings, type Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { type AccessCheck, checkUploadAccess, checkWriteAccess } from './check-access.ts'

const help = `
Shows who the token belongs to, which projects it has access to, whether it has write access, and when it expires.
Nothing is changed: access is checked with requests that the server always rejects.

Environment:
  SERVICE_URL      address of the Caseward server
  SERVICE_TOKEN    the token
  SERVICE_RUN_ID   if set, also check whether results can be uploaded to this run

Exit codes:
  0  the token is valid, and has the access that --need requires
  1  the token is not valid, or does not have that access

Examples:
  caseward token check
  caseward token check --need upload
  caseward token check --token-file ~/.caseward-token --json
`

const NEEDS = ['read', 'write', 'upload'] as const
const MAX_LISTED = 20

interface CheckOptions extends ConnectionOptions {
  readonly project?: string
  readonly run?: string
  readonly need: (typeof NEEDS)[number]
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .option('--project <id>', 'id or prefix of the project that requires the access (default: SERVICE_PROJECT_ID)')
      .option('--run <id>', 'run that results are to be uploaded to (default: SERVICE_RUN_ID)')
      .addOption(new Option('--need <access>', 'access that the token must have').choices(NEEDS).default('read')),
  )
    .addHelpText('after', help)
    .action((options: CheckOptions) => context.setResult(checkToken(options, context)))
}

interface TokenReport {
  /** The owner of a personal token; null for a CI token. */
  readonly user: Me | null
  readonly projects: readonly ProjectListItem[]
  readonly write: AccessCheck
  readonly upload: AccessCheck
  /** Null for never; undefined if unknown. */
  readonly expiresAt: string | null | undefined
  /** The project of the settings, if the token has no access to it. */
  readonly inaccessibleProject: Setting | null
  readonly isSufficient: boolean
}

async function checkToken(options: CheckOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal } = context
  const connection = connect(await readServerSettings(options, runtime), options, context)
  const projects = await readProjects(connection)
  const user = await findUser(connection)
  const setting = findProjectSetting(options.project, runtime.env)
  const [project] = setting === null ? projects : matchProjects(projects, setting.value)
  const run = findSetting({ name: '--run', value: options.run }, 'SERVICE_RUN_ID', runtime.env)
  const write = await checkWriteAccess(user, project?.id, connection)
  const upload = await checkUploadAccess(user, write, run, connection)
  const hasProjectAccess = setting === null || project !== undefined
  const hasAccess = { read: true, write: write.allowed, upload: upload.allowed }[options.need]
  const report: TokenReport = {
    user,
    projects,
    write,
    upload,
    expiresAt: user === null ? undefined : await findExpiry(connection),
    inaccessibleProject: hasProjectAccess ? null : setting,
    isSufficient: hasProjectAccess && hasAccess,
  }
  terminal.print(formatReport(report))
  if (!report.isSufficient) terminal.warn([`The token does not have the required access: ${options.need}.`])
  return { exitCode: report.isSufficient ? 0 : 1, document: toDocument(report) }
}

function formatReport({ user, projects, write, upload, expiresAt, inaccessibleProject }: TokenReport): string[] {
  const names = projects.slice(0, MAX_LISTED).map(({ prefix, name }) => `${toTerminalText(name)} (${prefix})`)
  const others = projects.length > MAX_LISTED ? `, and ${projects.length - MAX_LISTED} more` : ''
  return [
    user === null ? 'CI token' : `Personal token of ${toTerminalText(user.name)} <${toTerminalText(user.email)}>`,
    `Projects: ${names.length === 0 ? 'none' : names.join(', ')}${others}`,
    ...(inaccessibleProject === null
      ? []
      : [`No access to the project of ${inaccessibleProject.from} (${toTerminalText(inaccessibleProject.value)})`]),
    `Write: ${formatAccess(write)}`,
    `Upload: ${formatAccess(upload)}`,
    `Expires: ${expiresAt === undefined ? 'unknown' : (expiresAt ?? 'never')}`,
  ]
}

const formatAccess = ({ allowed, reason }: AccessCheck) =>
  allowed ? 'yes' : `no${reason === null ? '' : `: ${reason}`}`

function toDocument({ user, projects, write, upload, expiresAt, inaccessibleProject, isSufficient }: TokenReport) {
  return {
    kind: user === null ? 'ci' : 'personal',
    user: user === null ? null : { id: user.id, name: user.name, email: user.email },
    projects: projects.map(({ id, prefix, name }) => ({ id, prefix, name })),
    has_project_access: inaccessibleProject === null,
    write: write.allowed,
    upload: upload.allowed,
    ...(upload.reason === null ? {} : { upload_denied_reason: upload.reason }),
    expires_at: expiresAt ?? null,
    expiry_known: expiresAt !== undefined,
    sufficient: isSufficient,
  }
}

/** Finds the owner of a personal token. A CI token belongs to a project instead. */
async function findUser(connection: Connection): Promise<Me | null> {
  const reply = await connection.client.call(getMe)
  if (reply.kind === 'problem' && reply.problem.code === 'personal_token_required') return null
  return expectSuccess(reply, connection, {}).data.data
}

/** Returns undefined if the tokens of the user expire at different times: the server does not report which one this is. */
async function findExpiry(connection: Connection): Promise<string | null | undefined> {
  const reply = await connection.client.call(listPersonalTokens)
  if (reply.kind !== 'success') return undefined
  const times = new Set(reply.data.data.map(({ expires_at: time }) => time))
  const [time] = times
  return times.size === 1 ? time : undefined
}
