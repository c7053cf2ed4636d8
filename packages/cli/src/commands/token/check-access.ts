import { createRun, type Me, updateMe, uploadResults } from '@caseward/client/endpoints'

import { type Connection, toCommandError } from '../../connect.ts'
import type { Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'

/** Whether the token has an access, and the reason if it does not. */
export interface AccessCheck {
  readonly allowed: boolean
  readonly reason: string | null
}

/**
 * Checks write access with a request that is invalid: creating a run without a name or, without a project, renaming the
 * user to nothing. The server checks access before it checks the body.
 */
export async function checkWriteAccess(
  user: Me | null,
  projectId: string | undefined,
  { client, settings }: Connection,
): Promise<AccessCheck> {
  const rawBody = { contentType: 'application/json', body: '{"name":""}' }
  const reply =
    projectId === undefined && user !== null
      ? await client.call(updateMe, { rawBody })
      : await client.call(createRun, { params: { project_id: projectId ?? '-' }, rawBody })
  if (reply.kind === 'success') return { allowed: true, reason: null }
  if (reply.kind !== 'problem') throw toCommandError(reply, settings, {})
  if (reply.status === 400) return { allowed: true, reason: null }
  if (reply.status === 403) return { allowed: false, reason: toTerminalText(reply.problem.detail) }
  if (reply.status === 404) return { allowed: false, reason: 'the token has access to no project' }
  throw toCommandError(reply, settings, {})
}

/** Checks upload access; with a run, by a dry run of an upload without results. */
export async function checkUploadAccess(
  user: Me | null,
  write: AccessCheck,
  run: Setting | null,
  { client, settings }: Connection,
): Promise<AccessCheck> {
  if (user !== null) return { allowed: false, reason: 'uploads require a CI token (cwc_…) of the project' }
  if (run === null) return write
  const reply = await client.call(uploadResults, { body: { run_id: run.value, results: [], dry_run: true } })
  if (reply.kind === 'success') return { allowed: true, reason: null }
  const failure = toCommandError(reply, settings, { run, upload: true })
  if (reply.kind !== 'problem' || reply.status >= 500 || reply.status === 429) throw failure
  return { allowed: false, reason: failure.message }
}
