import type { ImportedPerson } from '@caseward/contract/imported-people'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { selectMember } from '../members/members.queries.ts'
import { FORGOTTEN_NAME, selectImportedPeople } from './imported-people.queries.ts'

/**
 * Says that an imported person is a member. The job then gives the member all that they did.
 * @throws {Problem} 404; 400 for a user who is no member
 */
export async function joinPerson(
  db: Database,
  actor: AuditActor,
  projectId: string,
  id: string,
  userId: string,
): Promise<ImportedPerson> {
  return await db.transaction().execute(async (tx) => {
    const person = await requirePerson(tx, projectId, id)
    const member = isUuid(userId) ? await selectMember(tx, projectId, userId) : undefined
    if (member === undefined) throw invalidFieldProblem('/user_id', 'is not a member of this project')
    await sql`
      update imported_people set user_id = ${userId}, joined_at = null
      where project_id = ${projectId} and id = ${id}`.execute(tx)
    await recordAudit(tx, actor, {
      action: 'imported_person.join',
      subject: { kind: 'user', id: userId },
      projectId,
      detail: { name: person.name, source: person.source },
    })
    return { ...person, user_id: userId }
  })
}

/** Forgets name and email address of an imported person. @throws {Problem} 404 */
export async function forgetPerson(db: Database, actor: AuditActor, projectId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { source } = await requirePerson(tx, projectId, id)
    await sql`
      update imported_people set name = ${FORGOTTEN_NAME}, email = null, forgotten_at = coalesce(forgotten_at, now())
      where project_id = ${projectId} and id = ${id}`.execute(tx)
    // Without the name, which is not to be found any more.
    await recordAudit(tx, actor, {
      action: 'imported_person.forget',
      subject: { kind: 'project', id: projectId, name: FORGOTTEN_NAME },
      projectId,
      detail: { source },
    })
  })
}

async function requirePerson(tx: Database, projectId: string, id: string): Promise<ImportedPerson> {
  const [person] = isUuid(id) ? await selectImportedPeople(tx, projectId, { hasEmails: true, id }) : []
  if (person === undefined) throw notFoundProblem('imported person')
  return person
}
