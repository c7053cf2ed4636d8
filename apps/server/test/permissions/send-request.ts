import type { Problem } from '@caseward/contract/problem'

import type { Scenario } from './scenario.ts'
import type { Cell, RequestContent } from './table.ts'

/**
 * Sends the request of a row and describes the response as {@link formatCell} does, with anything that is wrong.
 * @param readChangedTables returns the tables that have changed since its last call
 */
export async function sendRequest(
  scenario: Scenario,
  { method, path, content }: { method: string; path: string; content: RequestContent },
  readChangedTables: () => Promise<string[]>,
): Promise<string> {
  const response = await scenario.server.request(method, buildUrl(path, scenario, content), {
    headers: buildHeaders(scenario, content),
    ...buildBody(content),
  })
  const changedTables = await readChangedTables()
  const changesData = changedTables.length > 0
  if (response.status < 400) return formatCell({ status: response.status, code: null, changesData })
  const problem = response.body as Partial<Problem>
  const type = response.headers.get('content-type') ?? 'no content type'
  const isApi = path.startsWith('/v1')
  const hasProblem = isApi && method !== 'HEAD'
  const isUnauthenticated = response.status === 401
  const faults = [
    ...(type.startsWith(getErrorType(path)) ? [] : [`as ${type}`]),
    ...(hasProblem && problem.status !== response.status ? [`status ${problem.status} in the body`] : []),
    ...(isUnauthenticated && response.headers.get('www-authenticate') !== 'Bearer' ? ['no WWW-Authenticate'] : []),
    ...changedTables,
  ]
  const code = hasProblem ? (problem.code ?? 'no code') : null
  return [formatCell({ status: response.status, code, changesData }), ...faults].join(', ')
}

/** The type of an error. OpenID Connect decides it for what only providers call. */
function getErrorType(path: string): string {
  if (path === '/sign-in/oidc/backchannel-logout') return 'application/json'
  return path.startsWith('/v1') ? 'application/problem+json' : 'text/html'
}

/** Formats a cell for a readable comparison, such as `403 role_required` or `201 changes data`. */
export const formatCell = ({ status, code, changesData }: Cell): string =>
  [status, ...(code === null ? [] : [code]), ...(changesData ? ['changes data'] : [])].join(' ')

function buildUrl(path: string, { project }: Scenario, { ids = {}, query = '' }: RequestContent): string {
  const values: Record<string, string> = { projectId: project.id, ...ids }
  const filledPath = path.replaceAll(/:(\w+)|\*/g, (parameter, name: string | undefined) => {
    const value = values[name ?? parameter]
    if (value === undefined) throw new Error(`${path} needs a value for ${parameter}`)
    return value
  })
  return filledPath + query
}

function buildHeaders({ server, caller }: Scenario, { form, headers, cookie }: RequestContent): Record<string, string> {
  const cookies = [caller.headers['cookie'], cookie].filter((value) => value !== undefined)
  return {
    ...(form === undefined ? {} : { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' }),
    ...headers,
    ...caller.headers,
    ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
  }
}

function buildBody({ body, form }: RequestContent): { body?: unknown } {
  if (form !== undefined) return { body: new URLSearchParams(form).toString() }
  return body === undefined ? {} : { body }
}
