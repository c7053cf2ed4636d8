import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { Copies, CopyTestCaseBody } from '@caseward/contract/copies'
import type { CreateFieldBody } from '@caseward/contract/fields'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject } from './factories.ts'
import type { TestServer } from './test-server.ts'
import { expect } from 'vitest'

type Project = Awaited<ReturnType<typeof makeProject>>
interface Problem {
  code: string
  missing?: object
}

/** Makes a project WEB and another one, BO, with the same admin, and functions that copy test cases between them. */
export async function makeCopyScenario(server: TestServer) {
  const project = await makeProject(server)
  const { token } = project.admin
  const other = await makeProject(server, { name: 'Back office', prefix: 'BO', token })
  const request = (method: string, path: string, { id }: { id: string } = project, body?: object, as = token) =>
    server.request<{ data: Copies } & Problem>(method, `/v1/projects/${id}${path}`, {
      token: as,
      ...(body && { body }),
    })
  const send = async <T = { id: string }>(
    method: string,
    path: string,
    of: { id: string } = project,
    body?: object,
  ) => {
    const response = await server.request<{ data: T }>(method, `/v1/projects/${of.id}${path}`, {
      token,
      ...(body && { body }),
    })
    expect([path, response.status, response.body]).toEqual([path, expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body.data
  }
  return {
    project,
    other,
    token,
    request,
    send,
    copy: (id: string, body: CopyTestCaseBody = {}) => send<Copies>('POST', `/test-cases/${id}/copies`, project, body),
    read: (id: string, of: { id: string } = project) => send<TestCase>('GET', `/test-cases/${id}`, of),
    attach: async (query: string, content: string) => {
      const response = await server.request<{ data: Attachment }>(
        'POST',
        `/v1/projects/${project.id}/test-cases/WEB-1/attachments?${query}`,
        { token, body: new TextEncoder().encode(content), headers: { 'content-type': 'text/plain' } },
      )
      expect(response.status).toBe(201)
      return response.body.data
    },
    listFiles: (id: string, of: { id: string } = project) =>
      send<Attachment[]>('GET', `/test-cases/${id}/attachments`, of),
    makeField: (of: Project, fields: Partial<CreateFieldBody>) => makeField(server, of, fields),
  }
}

/** A field with options. */
export const severity = (...keys: string[]): Partial<CreateFieldBody> => ({
  key: 'severity',
  type: 'select',
  options: keys.map((key) => ({ key, label: key })),
})
