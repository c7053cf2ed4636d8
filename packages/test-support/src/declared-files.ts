import { createHash } from 'node:crypto'

import type { ResultDetail } from '@caseward/contract/result-rows'
import type { AttachmentsReceipt } from '@caseward/contract/uploads'
import { sql } from 'kysely'

import { expectCorrectCounters } from './counters.ts'
import { type makeProject, makeRun } from './factories.ts'
import type { TestServer } from './test-server.ts'

export const digest = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

/** Declares a content as an upload does. */
export const declare = (name: string, content: Buffer | string, more: object = {}) => ({
  name,
  sha256: digest(content),
  byte_count: Buffer.byteLength(content),
  ...more,
})

/** A receipt of an upload with attachments. */
interface DeclaringReceipt {
  attachments?: AttachmentsReceipt
}

/** Sends a content, or a part of it, that an upload into a run declared. */
export const sendContent = (
  server: TestServer,
  path: string,
  content: Buffer | string,
  { token, headers }: { token: string; headers?: Record<string, string> },
) =>
  server.request('PUT', path, {
    token,
    body: Buffer.from(content),
    headers: { 'content-length': String(Buffer.byteLength(content)), ...headers },
  })

/** A run of its own, with functions to upload into it and to read it. */
export async function makeDeclaringRun(
  server: TestServer,
  { ci, project }: { ci: string; project: Awaited<ReturnType<typeof makeProject>> },
) {
  const { id } = await makeRun(server, project)
  const path = (content: Buffer | string) => `/v1/runs/${id}/files/${digest(content)}`
  const upload = async (body: object) => {
    const response = await server.request<DeclaringReceipt>('POST', '/v1/results', {
      token: ci,
      body: { run_id: id, ...body },
    })
    if (response.status >= 300) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
    return response.body.attachments
  }
  return {
    id,
    path,
    upload,
    uploadTests: (tests: object[], fields: object = {}) => upload({ format: 'tests', tests, ...fields }),
    put: (content: Buffer | string, headers?: Record<string, string>) =>
      sendContent(server, path(content), content, { token: ci, ...(headers && { headers }) }),
    getAttachments: async (caseId = 'WEB-1') => {
      const { body } = await server.request<{ data: ResultDetail }>('GET', `/v1/runs/${id}/results/${caseId}`, {
        token: ci,
      })
      return body.data.attachments
    },
    list: async (table: string) =>
      (
        await sql<Record<string, unknown>>`
          select * from ${sql.table(table)} where project_id = ${project.id} and run_id = ${id}`.execute(server.db)
      ).rows,
    check: () => expectCorrectCounters(server, project.id),
  }
}
