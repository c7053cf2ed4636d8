import type { Attachment } from '@caseward/contract/attachment-schemas'

import type { Principal } from '../../access/principal.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { forbiddenProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { insertFileCandidate } from '../files/file-candidates.queries.ts'
import { announcePlace } from './announce-attachments.ts'
import { formatPlace, moveAttachmentCount, subtractDeclared } from './attachment-places.queries.ts'
import {
  deleteAttachmentRow,
  type FoundAttachment,
  presentAttachment,
  selectAttachment,
  updateAttachmentName,
} from './attachments.queries.ts'

/** @throws {Problem} 404 when it is gone; 403 when it is not the caller's to change */
export async function renameAttachment(
  db: Database,
  principal: Principal,
  project: ProjectRef,
  id: string,
  name: string,
): Promise<Attachment> {
  const { place } = await requireOwnAttachment(db, principal, project, id)
  const row = await updateAttachmentName(db, place, id, name)
  if (row === null) throw notFoundProblem('attachment')
  return presentAttachment(project.id, row)
}

/**
 * Deletes an attachment, in one transaction with its counts. A sweep deletes its file later, if nothing else needs it.
 * @throws {Problem} 404 when it is gone; 403 when it is not the caller's to delete
 */
export async function deleteAttachment(
  deps: Pick<Deps, 'db' | 'announcer'>,
  principal: Principal,
  actor: AuditActor,
  project: ProjectRef,
  id: string,
): Promise<void> {
  const { place, row } = await requireOwnAttachment(deps.db, principal, project, id)
  await deps.db.transaction().execute(async (tx) => {
    const counts = await moveAttachmentCount(tx, place, -1)
    const deleted = counts === null ? null : await deleteAttachmentRow(tx, place, id)
    if (deleted === null) throw notFoundProblem('attachment')
    if (place.kind === 'run') await subtractDeclared(tx, place, deleted)
    if (deleted.fileId !== null) await insertFileCandidate(tx, project.id, deleted.fileId)
    const subject = { kind: 'attachment', id, name: row.name } as const
    const detail = formatPlace(place, project)
    await recordAudit(tx, actor, { action: 'attachment.delete', subject, projectId: project.id, detail })
  })
  announcePlace(deps, place, row.testId)
}

async function requireOwnAttachment(
  db: Database,
  principal: Principal,
  project: ProjectRef,
  id: string,
): Promise<FoundAttachment> {
  const found = isUuid(id) ? await selectAttachment(db, project.id, id) : null
  if (found === null) throw notFoundProblem('attachment')
  if (!canChange(principal, project.id, found)) throw notYoursProblem()
  return found
}

function canChange(principal: Principal, projectId: string, { place, row }: FoundAttachment): boolean {
  if (principal.kind === 'ci') return row.createdBy === null && place.kind === 'run'
  if (principal.roles.get(projectId) === 'admin') return true
  return row.createdBy === null || row.createdBy === principal.userId
}

const notYoursProblem = () =>
  forbiddenProblem('Someone else has attached this file. Ask an admin of the project.', 'not_yours')
