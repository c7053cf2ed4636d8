import * as contract from '@caseward/contract/activity'
import type { TimelineEntry } from '@caseward/contract/activity'

import { requireProject, requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { findResultPlace, findRunPlace, findTestCasePlace } from '../attachments/find-place.ts'
import {
  type ActivityCursor,
  type ActivityRow,
  FIRST_CURSOR,
  selectResultActivity,
  selectRunActivity,
  selectTestCaseActivity,
} from './activity.queries.ts'
import { formatFirstLine } from './present-mention.ts'

/** What happened to a test case, run or result. */
export function activityRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.route({
    ...contract.listTestCaseActivity,
    handler: async (request) => {
      const { place } = await findTestCasePlace(db, requireProject(request), request.params.test_case_id)
      if (place.kind !== 'testCase') throw new Error('The place is no test case')
      return await readPage(request.query, (page) => selectTestCaseActivity(db, place, page))
    },
  })

  app.route({
    ...contract.listRunActivity,
    handler: async (request) => {
      const { place } = await findRunPlace(db, requireRun(request))
      if (place.kind !== 'run') throw new Error('The place is no run')
      return await readPage(request.query, (page) => selectRunActivity(db, place, page))
    },
  })

  app.route({
    ...contract.listResultActivity,
    handler: async (request) => {
      const { place } = await findResultPlace(db, requireRun(request), request.params.result_id)
      if (place.kind !== 'run') throw new Error('The place is no result')
      return await readPage(request.query, (page) => selectResultActivity(db, place, page))
    },
  })
}

async function readPage(
  { after, per_page: perPage = 20 }: { after?: string; per_page?: number },
  select: (page: { before: ActivityCursor; limit: number }) => Promise<ActivityRow[]>,
) {
  const rows = await select({ before: parseCursor(after), limit: perPage + 1 })
  const page = rows.slice(0, perPage)
  const last = rows.length > perPage ? page.at(-1) : undefined
  return {
    data: page.map(presentActivity),
    meta: { next_after: last === undefined ? null : `${String(last.at).padStart(13, '0')}~${last.key}` },
  }
}

function parseCursor(after: string | undefined): ActivityCursor {
  if (after === undefined) return FIRST_CURSOR
  const [at = '', key = ''] = after.split('~')
  return { at: Number(at), key }
}

const presentActivity = ({ at, kind, actor, id, text, status }: ActivityRow): TimelineEntry => ({
  at: presentTime(new Date(at)),
  kind,
  actor,
  detail: {
    id,
    text: text === null ? null : kind === 'comment' || kind === 'result' ? formatFirstLine(text) : text,
    status,
  },
})
