import type { Field } from '@caseward/contract/fields'
import { type TestServer } from '@caseward/test-support/test-server'

import { makeCaseScenario } from './case-scenario.ts'

/** A field with three options. */
export const severity = {
  key: 'severity',
  name: 'Severity',
  type: 'select',
  options: [
    { key: 'blocker', label: 'Blocker' },
    { key: 'minor', label: 'Minor' },
    { key: 'trivial', label: 'Trivial' },
  ],
}
/** A field of each type. */
export const allTypes = [
  severity,
  { key: 'risk', name: 'Risk', type: 'number', min: 0, max: 10, decimals: 1, description: 'From 0 to 10.' },
  { key: 'browsers', name: 'Browsers', type: 'multi_select', options: severity.options },
  { key: 'component', name: 'Component', type: 'text' },
  { key: 'due', name: 'Due', type: 'date' },
  { key: 'automatable', name: 'Can be automated', type: 'checkbox' },
  { key: 'expert', name: 'Expert', type: 'user' },
  { key: 'design', name: 'Design', type: 'url' },
  { key: 'background', name: 'Background', type: 'long_text' },
]

/** A project with six test cases and these fields. */
export async function makeFieldScenario(server: TestServer, fields: readonly object[] = []) {
  const scenario = await makeCaseScenario(server)
  const { project } = scenario
  const base = `/v1/projects/${project.id}`
  const send = async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T> => {
    const sent = body === undefined ? {} : { body }
    const { status, body: answer } = await server.request<{ data: T }>(method, `${base}${path}`, {
      token: project.admin.token,
      ...sent,
    })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer.data
  }
  for (const field of fields) await send('POST', '/fields', field)
  return { ...scenario, send, listFields: () => send<Field[]>('GET', '/fields') }
}
