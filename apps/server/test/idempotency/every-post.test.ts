import { acceptsIdempotencyKey } from '@caseward/contract/idempotency'
import type { Permission } from '@caseward/contract/endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readOperations } from '../fuzz/read-operations.ts'
import { rows, withoutParameterNames } from '../permissions/rows.ts'
import { createScenarios, type SharedSetup } from '../permissions/scenario.ts'
import { sendRequest } from '../permissions/send-request.ts'
import { startSharedSetup } from '../permissions/shared-setup.ts'
import { waitForImports } from '@caseward/test-support/import-scenario'
import { waitForDemoFiles } from '../permissions/wait-for-demo-files.ts'
import { watchTables } from '../permissions/watch-tables.ts'

let shared: SharedSetup
let close: () => Promise<void>
let readChangedTables: () => Promise<string[]>
beforeAll(async () => {
  const setup = await startSharedSetup()
  shared = setup
  close = setup.close
  readChangedTables = await watchTables(shared.server.db)
})
afterAll(() => close())

/** Without a token or session, there is nothing that a key could belong to. */
const WITHOUT_KEY = new Set(
  [
    'POST /v1/session',
    'POST /v1/session/passkey',
    'POST /v1/session/passkey-options',
    'POST /v1/session/second-factor',
    'POST /v1/session/second-factor/passkey-options',
    'POST /v1/setup/:secret',
    'POST /v1/password-resets',
    'POST /v1/password-resets/:secret',
    'POST /v1/invitations/:secret/accept',
  ].map(withoutParameterNames),
)

/** Their responses contain a secret. */
const WITH_SECRET = new Set(
  [
    'POST /v1/tokens',
    'POST /v1/me/second-factors/totp',
    'POST /v1/me/second-factors/totp/:factor_id/activate',
    'POST /v1/me/second-factors/passkey/activate',
    'POST /v1/me/second-factors/recovery-codes',
    'POST /v1/projects/:project_id/tokens',
    'POST /v1/runs/:run_id/shares',
    'POST /v1/projects/:project_id/milestones/:milestone_id/shares',
    'POST /v1/projects/:project_id/members/invite',
    'POST /v1/projects/:project_id/invitations/:invitation_id/resend',
  ].map(withoutParameterNames),
)

const postRows = rows.filter(
  ({ method, path, cells }) =>
    method === 'POST' &&
    path.startsWith('/v1/') &&
    !WITHOUT_KEY.has(withoutParameterNames(`POST ${path}`)) &&
    cells.some(({ cell }) => cell.changesData),
)

describe('every POST that needs a token or session', () => {
  it('documents the key, and what it returns for it', async () => {
    const operations = await readOperations(shared.server)
    const posts = operations.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/'))
    const isDocumented = ({ parameters, responses }: (typeof posts)[number]) =>
      parameters.some(({ name }) => name === 'idempotency-key') && '409' in responses && '422' in responses
    const undocumented = posts.filter((operation) => !isDocumented(operation))
    expect(new Set(undocumented.map(({ path }) => withoutParameterNames(`POST ${path}`)))).toEqual(WITHOUT_KEY)
  })

  it.each(postRows.map((row) => [row.title, row] as const))(
    'does the same request once, and responds to the second as to the first: %s',
    async (_title, row) => {
      const scenarios = await createScenarios(shared)
      const { caller, cell } = row.cells.find((candidate) => candidate.cell.changesData) ?? {
        caller: 'admin',
        cell: null,
      }
      const content = await row.prepare(scenarios[caller])
      await readChangedTables()
      const keyed = { ...row, content: { ...content, headers: { ...content.headers, 'idempotency-key': 'k' } } }
      const first = await sendRequest(scenarios[caller], keyed, readChangedTables)
      if (row.path === '/v1/projects/demo') {
        await waitForDemoFiles(shared.server.db)
        await readChangedTables()
      }
      if (row.path.includes('/imports')) {
        await waitForImports(shared.server)
        await readChangedTables()
      }
      const second = await sendRequest(scenarios[caller], keyed, readChangedTables)
      expect(first).toBe(`${cell?.status} changes data`)
      const isSecret = WITH_SECRET.has(withoutParameterNames(`POST ${row.path}`))
      expect(second).toBe(isSecret ? '409 response_not_kept' : `${cell?.status}`)
    },
  )
})

describe('acceptsIdempotencyKey', () => {
  it.each([
    ['POST', 'own-account', true],
    ['POST', 'public', false],
    ['POST', 'public-or-own-account', false],
    ['PATCH', 'own-account', false],
  ] as const)('of %s with the permission %s is %s', (method, permission: Permission, expected) => {
    expect(acceptsIdempotencyKey({ method, config: { permission } })).toBe(expected)
  })
})
