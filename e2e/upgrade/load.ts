import { setTimeout as sleep } from 'node:timers/promises'

import { ADMIN_PASSWORD, ADMIN_TOKEN } from '@caseward/test-support/caseward-process'
import { sendRequest, type TestResponse } from '@caseward/test-support/send-request'

const CLIENTS = 6
const CASES = 40
const PAUSE_MS = 20

/** What was acknowledged, to be found at the end. */
export interface Written {
  projectId: string
  runId: string
  /** The titles of test cases. */
  titles: Set<string>
  /** The last status of each test case in the run that was acknowledged. */
  statuses: Map<string, string>
}

type Send = <T = unknown>(method: string, path: string, body?: unknown, token?: string) => Promise<TestResponse<T>>

/** Sends reads, uploads, edits and sign-ins to the load balancer until `stop`. */
export async function startLoad(url: string) {
  const send: Send = (method, path, body, token = ADMIN_TOKEN) => sendRequest(url, method, path, { token, body })
  const create = async (path: string, body: unknown) =>
    (await send<{ data: { id: string; token: string } }>('POST', path, body)).body.data
  const project = await create('/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const path = `/v1/projects/${project.id}`
  const test_cases = Array.from({ length: CASES }, (_, index) => ({ title: `Case ${index}` }))
  await send('POST', `${path}/test-cases/bulk`, { test_cases })
  const run = await create(`${path}/runs`, { name: 'Nightly' })
  const { token: ciToken } = await create(`${path}/tokens`, { name: 'CI', access: 'write' })
  const written: Written = { projectId: project.id, runId: run.id, titles: new Set(), statuses: new Map() }

  let count = 0
  const uploadTests = (client: number) => {
    const tests = Array.from({ length: 50 }, (_, index) => ({
      name: `client ${client} test ${index}`,
      attempts: [{ status: count % 3 === 0 ? 'failed' : 'passed', elapsed_ms: 20, message: 'A message' }],
    }))
    return send('POST', '/v1/results', { run_id: run.id, format: 'tests', tests }, ciToken)
  }
  /** Each client has test cases of its own, so that the last acknowledged status is the stored one. */
  const setResult = async (client: number) => {
    const id = `WEB-${(count % Math.floor(CASES / CLIENTS)) * CLIENTS + client + 1}`
    const status = count % 2 === 0 ? 'passed' : 'blocked'
    const response = await send('PUT', `/v1/runs/${run.id}/results/${id}`, { status })
    if (response.status === 200) written.statuses.set(id, status)
    return response
  }
  const createCase = async (client: number) => {
    const title = `Another case ${client} ${count}`
    const response = await send('POST', `${path}/test-cases`, { title })
    if (response.status === 201) written.titles.add(title)
    return response
  }
  const signIn = async () => {
    const origin = { origin: url }
    const body = { email: 'admin@example.test', password: ADMIN_PASSWORD }
    const signedIn = await sendRequest(url, 'POST', '/v1/session', { body, headers: origin })
    if (signedIn.status >= 300) return signedIn
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const me = await sendRequest(url, 'GET', '/v1/me', { headers: { cookie } })
    if (me.status >= 300) return me
    return await sendRequest(url, 'DELETE', '/v1/session', { headers: { cookie, ...origin } })
  }
  const requests: Record<string, (client: number) => Promise<TestResponse<unknown>>> = {
    'list test cases': () => send('GET', `${path}/test-cases?search=case`),
    'upload tests': uploadTests,
    'set a result': setResult,
    'read a run': () => send('GET', `/v1/runs/${run.id}`),
    'create a test case': createCase,
    'list results': () => send('GET', `/v1/runs/${run.id}/results`),
    'edit a test case': (client) => send('PATCH', `${path}/test-cases/WEB-${client + 1}`, { tags: [`t${count % 7}`] }),
    'list projects': () => send('GET', '/v1/projects'),
    'list tests': () => send('GET', `/v1/runs/${run.id}/tests`),
    'sign in and out': signIn,
  }

  const end = new AbortController()
  const failures: string[] = []
  const names = Object.keys(requests)
  const sendUntilStopped = async (client: number) => {
    for (let turn = client; !end.signal.aborted; turn += 1) {
      const name = names[turn % names.length] ?? ''
      count += 1
      const response = await requests[name]?.(client).catch((error: Error) => ({
        status: 0,
        body: String(error.cause),
      }))
      if (response === undefined || response.status === 0 || response.status >= 300) {
        failures.push(`${name}: ${response?.status} ${JSON.stringify(response?.body)}`)
      }
      await sleep(PAUSE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) => sendUntilStopped(client))
  return {
    written,
    getCount: () => count,
    failures,
    async stop() {
      end.abort()
      await Promise.all(clients)
    },
  }
}
