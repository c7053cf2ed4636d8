import type { PlacedAttachment } from '@caseward/contract/attachments'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { presentAttachment, selectAttachment } from './attachments.queries.ts'

/** @throws {Problem} 404 when it is gone */
export async function findPlacedAttachment(db: Database, project: ProjectRef, id: string): Promise<PlacedAttachment> {
  const found = isUuid(id) ? await selectAttachment(db, project.id, id) : null
  if (found === null) throw notFoundProblem('attachment')
  const { place, row } = found
  return {
    ...presentAttachment(project.id, row),
    test_case_id: place.kind === 'testCase' ? formatTestCaseId(project.prefix, place.caseNumber) : null,
    run_id: place.kind === 'run' ? place.runId : null,
    result_id: place.kind === 'run' ? place.resultId : null,
  }
}
