import type { DeletedContent } from '@caseward/contract/storage'
import type { FastifyBaseLogger } from 'fastify'

import type { Deps } from '../../deps.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { announceAttachments } from '../attachments/announce-attachments.ts'
import type { ChangedAttachments } from '../attachments/declared-files.queries.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { deleteQueuedNames } from '../files/file-candidates.queries.ts'
import { deleteFile, type DeletedFile, selectProjectsWithContent } from './delete-content.queries.ts'

type DeleteDeps = Pick<Deps, 'db' | 'fileStore' | 'announcer'>

/**
 * Deletes a content in all projects, each in a transaction of its own, and then from the file store. If the store is
 * unavailable, the job that sweeps files removes it later.
 * @throws {Problem} 404 when no project has it
 */
export async function deleteContent(
  deps: DeleteDeps,
  actor: AuditActor,
  sha256: string,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<DeletedContent> {
  const digest = Buffer.from(/^[0-9a-f]{64}$/.test(sha256) ? sha256 : '', 'hex')
  const projects = await selectProjectsWithContent(deps.db, digest)
  const deleted: DeletedFile[] = []
  for (const project of projects) {
    const file = await deps.db.transaction().execute(async (tx) => {
      const found = await deleteFile(tx, project.id, digest)
      if (found === null) return null
      await recordAudit(tx, actor, {
        action: 'file.delete',
        subject: { kind: 'project', ...project },
        projectId: project.id,
        detail: { sha256, attachments: found.attachmentCount },
      })
      return found
    })
    if (file === null) continue
    deleted.push(file)
    announceRemoval(deps, project.id, file)
  }
  if (deleted.length === 0) throw notFoundProblem('content')
  return {
    project_count: deleted.length,
    attachment_count: deleted.reduce((sum, { attachmentCount }) => sum + attachmentCount, 0),
    is_removed: await removeContents(deps, deleted, log),
  }
}

/** Tells open pages of runs that the content is gone. */
function announceRemoval(deps: DeleteDeps, projectId: string, { runPlaces }: DeletedFile): void {
  const runs = new Map<string, ChangedAttachments>()
  for (const { runId, resultId, testId } of runPlaces) {
    const changed = runs.get(runId) ?? { resultIds: [], testIds: [] }
    if (resultId !== null) changed.resultIds.push(resultId)
    if (testId !== null) changed.testIds.push(testId)
    runs.set(runId, changed)
  }
  for (const [id, changed] of runs) announceAttachments(deps, { id, project: { id: projectId } }, changed)
}

/** Returns whether the store has removed them all. */
async function removeContents(
  { db, fileStore }: DeleteDeps,
  files: readonly DeletedFile[],
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<boolean> {
  try {
    for (const { name, locations } of files) {
      for (const location of locations) {
        await (await fileStore.getAt(location)).remove([name])
        await deleteQueuedNames(db, 'file_deletions', location, [name])
      }
    }
    return true
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error
    log.warn({ err: error }, 'a deleted content stays in the file store until it is available')
    return false
  }
}
