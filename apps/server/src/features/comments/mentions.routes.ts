import { listMyMentions, readMyMentions } from '@caseward/contract/mentions'

import { requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import {
  countUnreadMentions,
  selectMentioningComments,
  selectMentions,
  updateReadMentions,
} from './mentions.queries.ts'
import { presentMention } from './present-mention.ts'

/** Comments that mention the caller, in all projects. */
export function mentionsRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.route({
    ...listMyMentions,
    handler: async (request) => {
      const userId = requireUserId(request)
      const { after, per_page: limit = 20, unread } = request.query
      const rows = await selectMentions(db, userId, { after, limit, isUnread: unread === 'true' })
      const page = rows.slice(0, limit)
      const comments = await selectMentioningComments(db, page)
      const data = page.flatMap((row) => {
        const comment = comments.get(row.commentId)
        // It was deleted since the mentions were read.
        return comment === undefined ? [] : [presentMention(row, comment)]
      })
      const nextAfter = rows.length > limit ? (page.at(-1)?.id ?? null) : null
      return { data, meta: { next_after: nextAfter, unread_count: await countUnreadMentions(db, userId) } }
    },
  })

  app.route({
    ...readMyMentions,
    handler: async (request) => {
      const { ids, all } = request.body
      if (ids === undefined && all !== true) throw invalidFieldProblem('/ids', 'is required, or all as true')
      const chosen = all === true ? null : (ids ?? []).filter(isUuid)
      return { data: { read: await updateReadMentions(db, requireUserId(request), chosen) } }
    },
  })
}
