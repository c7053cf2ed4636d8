import { formatMention } from '@caseward/matching/comment-references'
import { sql } from 'kysely'
import { v7 as createId } from 'uuid'

import { generateTokenSecret, hashSecret } from '../../access/secret.ts'
import type { RunRef } from '../../access/project-cache.ts'
import type { AttachmentPlace } from '../attachments/attachment-places.queries.ts'
import { addComment } from '../comments/change-comments.ts'
import { insertShare } from '../shares/shares.queries.ts'
import type { Demo } from './execute-runs.ts'

/** Where the files of the demo are attached, and by whom. */
export interface DemoEvidence {
  place: AttachmentPlace
  testerId: string
}

/** What testers say about a failure and about the run, and a report of the run for others. */
export async function addEvidence(demo: Demo, run: RunRef): Promise<DemoEvidence> {
  const { deps, project, adminId, testerIds } = demo
  const { db } = deps
  const writer = { ...deps, hasMailServer: false }
  const [testerId = adminId, colleagueId = adminId] = testerIds
  const resultId = await selectFailedResult(demo, run)
  const place: AttachmentPlace = { kind: 'run', projectId: project.id, runId: run.id, resultId, step: null }
  const { name } = await db.selectFrom('users').select('name').where('id', '=', adminId).executeTakeFirstOrThrow()
  const said = [
    [place, testerId, 'It fails with **three items** only, with two the total is right. The log says why.'],
    [
      place,
      colleagueId,
      `${formatMention({ userId: adminId, name })} is this what we had in 2.3?\n\n- rounded per item\n- rounded once more for the total`,
    ],
    [{ ...place, resultId: null }, testerId, 'Payment is worth a second look before the release.'],
  ] as const
  const day = { first: -0.3, step: 0.05 }
  for (const [index, [where, authorId, body]] of said.entries()) {
    const { id } = await addComment(writer, where, { body }, authorId)
    await setCommentTime(demo, id, demo.toTime(day.first + index * day.step))
  }
  if (demo.deps.allowsShares) await shareRun(demo, run, { ...place, resultId: null }, testerId)
  return { place, testerId }
}

/** The address is known to the members only, who read it in a comment. */
async function shareRun({ deps, project, toTime }: Demo, run: RunRef, place: AttachmentPlace, createdBy: string) {
  const secret = generateTokenSecret('share')
  await insertShare(deps.db, {
    id: createId(),
    projectId: project.id,
    subject: { kind: 'run', id: run.id },
    name: 'Regression 2.4 for Greenleaf',
    secretDigest: hashSecret(secret),
    include: ['notes', 'steps', 'files', 'links'],
    createdBy,
    expiresAt: toTime(30),
  })
  const body = `The [report for Greenleaf](/shared/${secret}) shows the run without our names.`
  await addComment({ ...deps, hasMailServer: false }, place, { body }, createdBy)
}

/** A failed result, whose test case is about paying if there is one. */
async function selectFailedResult({ deps: { db }, project }: Demo, run: RunRef): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from test_results
    where project_id = ${project.id} and run_id = ${run.id} and status = 'failed'
    order by title ilike '%pay%' desc, case_number limit 1`.execute(db)
  if (rows[0] === undefined) throw new Error('No result of the demo has failed')
  return rows[0].id
}

const setCommentTime = async ({ deps, project }: Demo, id: string, at: Date) =>
  await deps.db
    .updateTable('comments')
    .set({ created_at: at })
    .where('project_id', '=', project.id)
    .where('id', '=', id)
    .execute()
