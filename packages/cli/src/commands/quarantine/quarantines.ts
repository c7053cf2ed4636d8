import { listQuarantines, type ListQuarantines, type Quarantine } from '@caseward/client/endpoints'

import { connect, type Connection, toCommandError } from '../../connect.ts'
import type { Context } from '../../context.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings, type Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { formatTestName } from '../tests/format-test.ts'

export interface QuarantineOptions extends ConnectionOptions {
  readonly project?: string
}

/** The project of the quarantines. */
interface QuarantineProject {
  readonly connection: Connection
  readonly project: Setting | null
  readonly projectId: string
}

export const projectOption = ['--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)'] as const
export const feature = 'quarantines'

/** @param tokenKind CI tokens cannot change quarantines */
export async function openProject(
  options: QuarantineOptions,
  context: Context,
  tokenKind: 'ci' | 'personal',
): Promise<QuarantineProject> {
  const { runtime } = context
  const connection = connect(await readServerSettings(options, runtime, { tokenKind }), options, context)
  const project = findProjectSetting(options.project, runtime.env)
  return { connection, project, projectId: (await resolveProject(connection, project)).id }
}

/** Reads all quarantines that fit. */
export async function readQuarantines(
  { connection, projectId }: QuarantineProject,
  filter: Pick<ListQuarantines['query'], 'active' | 'test_id'>,
): Promise<Quarantine[]> {
  const quarantines: Quarantine[] = []
  let after: { after?: string } | null = {}
  while (after !== null) {
    const query: ListQuarantines['query'] = { ...filter, per_page: 100, ...after }
    const reply = await connection.client.call(listQuarantines, { params: { project_id: projectId }, query })
    if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { feature })
    const { data, meta }: ListQuarantines['success'][200] = reply.data
    quarantines.push(...data)
    after = meta.next_after === null ? null : { after: meta.next_after }
  }
  return quarantines
}

/** Formats a quarantine in one line: the test, its end, owner and reason. */
export function formatQuarantine(quarantine: Quarantine): string {
  const { test, test_id: id, expires_at: end, ended_at: ended, owner_name: owner, reason, branches } = quarantine
  const time = ended === null ? `until ${end.slice(0, 10)}` : `ended ${ended.slice(0, 10)}`
  const where = branches.length === 0 ? [] : [branches.join(', ')]
  const parts = [id, time, test === null ? 'deleted test' : formatTestName(test), ...where, owner ?? 'no owner', reason]
  return parts.map(toTerminalText).join('  ')
}
