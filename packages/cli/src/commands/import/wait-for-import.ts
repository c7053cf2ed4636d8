import { setTimeout as sleep } from 'node:timers/promises'

import { applyImport, getImport, type Import } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { type Connection, expectSuccess } from '../../connect.ts'
import type { Context } from '../../context.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { toTerminalText } from '../../text.ts'

export interface ImportTarget {
  readonly connection: Connection
  readonly projectId: string
  readonly subject: RequestSubject
  readonly context: Context
}

const WORKING: ReadonlySet<Import['state']> = new Set(['reading', 'planning', 'applying', 'undoing'])
/** Small files are planned within the first of them. */
const PAUSES_MS = [100, 200, 400, 800, 1500]

/**
 * Waits until the server no longer works on an import.
 * @throws {CommandError} when it has failed
 */
export async function waitForImport(id: string, target: ImportTarget): Promise<Import> {
  const { connection, projectId, subject, context } = target
  for (let attempt = 0; ; attempt += 1) {
    const reply = await connection.client.call(getImport, { params: { project_id: projectId, import_id: id } })
    const { data } = expectSuccess(reply, connection, subject).data
    if (data.error !== null) {
      throw new CommandError([toTerminalText(data.error.detail), ...describeRest(data)], { code: data.error.code })
    }
    if (data.state === 'cancelled') {
      throw new CommandError([`Someone has canceled the import ${data.id}.`, ...describeRest(data)], {
        code: 'canceled',
      })
    }
    if (!WORKING.has(data.state)) return data
    const { progress } = data
    if (progress !== null && progress.total > 0) {
      context.terminal.progressBar.show({
        filesDone: progress.done,
        files: progress.total,
        bytesDone: progress.done,
        bytes: progress.total,
        current: progress.stage,
      })
    }
    await sleep(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)])
  }
}

/** What was stored before a failure stays, and can be resumed. */
const describeRest = ({ planned_at: plannedAt, id }: Import): string[] =>
  plannedAt === null
    ? ['Nothing was imported.']
    : [`Go on with caseward import resume ${id}, or take it back with caseward import undo ${id}.`]

/** Applies a plan, and waits for its end. */
export async function applyPlan({ id, plan }: Import, target: ImportTarget): Promise<Import> {
  const { connection, projectId, subject } = target
  const reply = await connection.client.call(applyImport, {
    params: { project_id: projectId, import_id: id },
    body: { plan: plan ?? '' },
  })
  expectSuccess(reply, connection, subject)
  return await waitForImport(id, target)
}
