import type { Problem } from '@caseward/contract/problem'

import type { Scenario } from './scenario.ts'
import type { Cell, Content } from './table.ts'

/** Sends what a row is about, and says in words what came of it; `changed` names the tables that it changed. */
export async function sendRequest(
  scene: Scenario,
  { method, path, content }: { method: string; path: string; content: Content },
  changed: () => Promise<string[]>,
): Promise<string> {
  const answer = await scene.server.request(method, buildUrl(path, scene, content), {
    headers: buildHeaders(scene, content),
    ...buildBody(content),
  })
  const changes = await changed()
  if (answer.status < 400) return wordsFor({ status: answer.status, code: null, changes: changes.length > 0 })
  const problem = answer.body as Partial<Problem>
  const type = answer.headers.get('content-type') ?? 'no type'
  const isApi = path.startsWith('/v1')
  const isTold = isApi && method !== 'HEAD'
  const faults = [
    ...(type.startsWith(isApi ? 'application/problem+json' : 'text/html') ? [] : [`as ${type}`]),
    ...(isTold && problem.status !== answer.status ? [`that says ${problem.status}`] : []),
    ...(answer.status === 401 && answer.headers.get('www-authenticate') !== 'Bearer' ? ['no WWW-Authenticate'] : []),
    ...changes,
  ]
  const code = isTold ? (problem.code ?? 'no code') : null
  return [wordsFor({ status: answer.status, code, changes: changes.length > 0 }), ...faults].join(', ')
}

/** A cell in the same words. */
export const wordsFor = ({ status, code, changes }: Cell): string =>
  [status, ...(code === null ? [] : [code]), ...(changes ? ['with changes'] : [])].join(' ')

function buildUrl(path: string, { project }: Scenario, { ids = {}, query = '' }: Content): string {
  const values: Record<string, string> = { pid: project.id, ...ids }
  const filled = path.replaceAll(/:(\w+)|\*/g, (all, name: string | undefined) => {
    const value = values[name ?? all]
    if (value === undefined) throw new Error(`${path} needs ${all}`)
    return value
  })
  return filled + query
}

function buildHeaders({ server, caller }: Scenario, { form, headers, cookie }: Content): Record<string, string> {
  const cookies = [caller.headers['cookie'], cookie].filter((one) => one !== undefined)
  return {
    ...(form === undefined ? {} : { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' }),
    ...headers,
    ...caller.headers,
    ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
  }
}

function buildBody({ body, form }: Content): { body?: unknown } {
  if (form !== undefined) return { body: new URLSearchParams(form).toString() }
  return body === undefined ? {} : { body }
}
