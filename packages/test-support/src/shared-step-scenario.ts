import type { SharedStep, UpdateSharedStepBody } from '@caseward/contract/shared-steps'
import type { StepInput } from '@caseward/contract/steps'
import type { CreateTestCaseBody, TestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'

import { makeProject } from './factories.ts'
import type { TestServer } from './test-server.ts'

type Body<T> = { data: T; code?: string; errors?: { path: string }[] }
type Project = Pick<Awaited<ReturnType<typeof makeProject>>, 'id' | 'admin'>

/** Creates a shared step. */
export async function makeSharedStep(
  server: TestServer,
  project: Project,
  body: { title: string; steps: readonly StepInput[] },
): Promise<SharedStep> {
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/shared-steps`
  const response = await server.request<{ data: SharedStep }>('POST', path, { token, body })
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

/** A project with the requests about shared steps and the test cases that use them. */
export async function makeSharedStepScenario(server: TestServer) {
  const project = await makeProject(server)
  const { token } = project.admin
  const root = `/v1/projects/${project.id}`
  const send = <T = { id: string }>(method: string, path: string, body?: object, headers?: Record<string, string>) =>
    server.request<Body<T>>(method, `${root}${path}`, {
      token,
      ...(body && { body }),
      ...(headers && { headers }),
    })
  const read = async (id: string) => (await send<TestCase>('GET', `/test-cases/${id}`)).body.data
  return {
    project,
    token,
    root,
    send,
    read,
    make: (title: string, ...actions: string[]) =>
      makeSharedStep(server, project, { title, steps: actions.map((action) => ({ action })) }),
    create: async (body: CreateTestCaseBody) => {
      const { status, body: response } = await send<TestCase>('POST', '/test-cases', body)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(response)}`)
      return await read(response.data.id)
    },
    patch: (id: string, body: UpdateTestCaseBody) => send<TestCase>('PATCH', `/test-cases/${id}`, body),
    edit: (id: string, body: UpdateSharedStepBody, headers?: Record<string, string>) =>
      send<SharedStep>('PATCH', `/shared-steps/${id}`, body, headers),
    getShared: async (id: string) => (await send<SharedStep>('GET', `/shared-steps/${id}`)).body.data,
  }
}

/** What a test case says of its steps: `Open | Sign in v2: User, Password | Leave`. A fixed version ends with `!`. */
export function formatSteps({ steps, step_groups: groups = [] }: Pick<TestCase, 'steps' | 'step_groups'>): string {
  const actions = steps.map(({ action }) => action)
  const parts: string[] = []
  let next = 0
  for (const { title, version, follows, first, count } of groups) {
    parts.push(...actions.slice(next, first - 1))
    next = first - 1 + count
    parts.push(`${title} v${version}${follows ? '' : '!'}: ${actions.slice(first - 1, next).join(', ')}`)
  }
  return [...parts, ...actions.slice(next)].join(' | ')
}
