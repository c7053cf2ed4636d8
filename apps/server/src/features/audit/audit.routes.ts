import * as contract from '@caseward/contract/audit'
import type { AuditQuery } from '@caseward/contract/audit'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { formatJsonCursorPage } from '../../platform/http/pagination.ts'
import { streamAuditCsv } from './audit-csv.ts'
import { selectAuditPage } from './audit.queries.ts'

/** `/v1/projects/:project_id/audit-log` and `/v1/admin/audit-log`, as JSON and as CSV. */
export function auditRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listProjectAuditLog,
    handler: (request, reply) => sendAuditLog(request, reply, request.query, requireProject(request).id),
  })

  app.route({
    ...contract.listAuditLog,
    handler: (request, reply) => sendAuditLog(request, reply, request.query, null),
  })

  async function sendAuditLog(
    { headers: { accept } }: FastifyRequest,
    reply: FastifyReply,
    { format = getPreferredFormat(accept), per_page: perPage = 20, ...filters }: AuditQuery,
    projectId: string | null,
  ) {
    const filter = { ...filters, projectId }
    if (format === 'json') return sendJson(reply, formatJsonCursorPage(await selectAuditPage(db, filter, perPage)))
    const csv = await streamAuditCsv(db, filter)
    void reply.header('content-type', 'text/csv; charset=utf-8')
    void reply.header('content-disposition', 'attachment; filename="audit-log.csv"')
    return reply.send(csv)
  }
}

const getPreferredFormat = (accept = ''): 'json' | 'csv' =>
  accept.includes('text/csv') && !accept.includes('application/json') ? 'csv' : 'json'
