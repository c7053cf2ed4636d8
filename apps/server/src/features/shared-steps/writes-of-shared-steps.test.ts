import type { ResultDetail } from '@caseward/contract/result-rows'
import type { ImportResult } from '@caseward/contract/test-case-imports'
import { makeRun } from '@caseward/test-support/factories'
import { formatSteps, makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('shared steps in requests', () => {
  it('are expanded for new test cases, one or many, and in every read', async () => {
    const { make, create, read, send } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User', 'Password')
    const steps = [{ action: 'Open' }, { shared_step_id: id }]
    const { status } = await send('POST', '/test-cases/bulk', {
      test_cases: [
        { title: 'One', steps },
        { title: 'Two' },
        { title: 'Three', steps: [{ shared_step_id: id, version: 1 }] },
      ],
    })
    expect(status).toBe(201)
    await create({ title: 'Four', steps })
    const all = (await send<Awaited<ReturnType<typeof read>>[]>('GET', '/test-cases?fields=all')).body.data
    expect(all.map(formatSteps)).toEqual([
      'Open | Sign in v1: User, Password',
      '',
      'Sign in v1!: User, Password',
      'Open | Sign in v1: User, Password',
    ])
    expect(all[1]).not.toHaveProperty('step_groups')
    const listed = (await send<object[]>('GET', '/test-cases')).body.data
    expect(listed[0]).toMatchObject({ steps: { length: 3 } })
    expect(listed[0]).not.toHaveProperty('step_groups')
    expect((await send<object[]>('GET', '/shared-steps')).body.data).toMatchObject([{ use_count: 3, step_count: 2 }])
  })

  it('are refused with the place of each error, and nothing is stored', async () => {
    const { make, create, patch, read, send } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User', 'Password')
    const { id: caseId } = await create({ title: 'One' })
    const unknown = '019aa5b4-9c0d-7e1f-8a2b-3c4d5e6f7a8b'
    const { status, body } = await patch(caseId, {
      steps: [
        { shared_step_id: unknown },
        { shared_step_id: 'x' },
        { shared_step_id: id, version: 2 },
        { shared_step_id: id, action: 'User' },
      ],
    })
    expect([status, body.errors?.map(({ path }) => path)]).toEqual([
      400,
      ['/steps/0/shared_step_id', '/steps/1/shared_step_id', '/steps/2/version', '/steps/3/action'],
    ])
    const empty = await patch(caseId, { steps: [{}, { expected: 'Paid' }] })
    expect(empty.body.errors?.map(({ path }) => path)).toEqual(['/steps/0/action', '/steps/1/action'])
    const many = Array.from({ length: 499 }, () => ({ action: 'Step' }))
    const test_cases = [{ title: 'Two' }, { title: 'Three', steps: [...many, { shared_step_id: id }] }]
    const tooMany = await send('POST', '/test-cases/bulk', { test_cases })
    expect(tooMany).toMatchObject({ status: 400, body: { errors: [{ path: '/test_cases/1/steps' }] } })
    expect(await read(caseId)).toMatchObject({ version: 1, steps: [] })
    expect((await send('GET', '/test-cases/WEB-2')).status).toBe(404)
    expect((await send('PATCH', '/test-cases/WEB-99', { steps: [{ shared_step_id: id }] })).status).toBe(404)
  })

  it('come from the columns of a file, also for test cases that have none', async () => {
    const { make, create, read, edit, send } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User', 'Password')
    const steps = ['Open', 'User', 'Password'].map((action) => ({ action }))
    const plain = await create({ title: 'Plain', steps })
    const used = await create({ title: 'Used', steps: [{ action: 'Open' }, { shared_step_id: id }] })
    const claims = [{ title: 'sign in', first: 2, count: 2 }]
    const importRows = (rows: object[], query = '') =>
      send<ImportResult>('POST', `/test-cases/import${query}`, { rows })
    const rows = [
      { title: 'New', steps, shared_steps: claims },
      { id: plain.id, steps, shared_steps: claims },
      { id: used.id, steps, shared_steps: claims },
    ]
    const expected = { rows: [{ action: 'create' }, { changed: ['shared_steps'] }, { action: 'none', changed: [] }] }
    expect((await importRows(rows, '?dry_run=true')).body.data).toMatchObject(expected)
    expect((await importRows(rows)).body.data).toMatchObject(expected)
    const text = 'Open | Sign in v1: User, Password'
    for (const caseId of [plain.id, used.id, 'WEB-3']) expect(formatSteps(await read(caseId))).toBe(text)

    await edit(id, { steps: [{ action: 'Passkey' }], test_case_ids: [] })
    const again = await importRows(rows.slice(1))
    expect(again.body.data.rows.map(({ action }) => action)).toEqual(['none', 'none'])
    const refused = await importRows([
      { title: 'Newer', steps, shared_steps: claims },
      { title: 'Newest', steps, shared_steps: [{ title: 'Pay', first: 1, count: 1 }] },
    ])
    expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([
      400,
      ['/rows/0/shared_steps/0', '/rows/1/shared_steps/0/title'],
    ])
  })

  it('stay with a test case that is moved and changed with many, and come back with undo', async () => {
    const { make, create, read, send } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User')
    const { id: caseId } = await create({ title: 'One', steps: [{ shared_step_id: id }] })
    const folder = (await send('POST', '/folders', { name: 'Checkout' })).body.data.id
    const moved = await send<{ before: object[] }>('POST', '/test-cases/move', {
      test_case_ids: [caseId],
      folder_id: folder,
    })
    await send('POST', '/test-cases/bulk-update', { restore: moved.body.data.before })
    await send('POST', '/test-cases/bulk-update', { test_case_ids: [caseId], set: { priority: 'low' } })
    expect(formatSteps(await read(caseId))).toBe('Sign in v1: User')
  })
})

describe('a result of a test case with a shared step', () => {
  it('keeps what was tested, the results of its steps, and what it was when its run ended, when the shared step is edited', async () => {
    const { project, token, make, create, edit } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User', 'Password')
    const testCase = await create({ title: 'One', steps: [{ shared_step_id: id }, { action: 'Leave' }] })
    const untested = await create({ title: 'Two', steps: [{ shared_step_id: id }] })
    const run = await makeRun(server, project, { test_case_ids: [testCase.id, untested.id] })
    const path = `/v1/runs/${run.id}/results/${testCase.id}`
    const steps = [
      { position: 3, status: 'passed' },
      { position: 1, status: 'failed' },
    ]
    await server.request('PUT', path, { token, body: { status: 'failed', steps } })
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    await edit(id, { steps: [{ action: 'Name' }, { action: 'User' }, { action: 'Password' }], apply_to: 'all' })
    const { body } = await server.request<{ data: ResultDetail }>('GET', path, { token })
    const { tested_case, case_version, is_outdated, steps: now, tested_steps } = body.data
    expect([case_version, is_outdated, formatSteps(tested_case ?? testCase)]).toEqual([
      1,
      true,
      'Sign in v1: User, Password | Leave',
    ])
    expect(now.map(({ position, status }) => [position, status])).toEqual([
      [2, 'failed'],
      [4, 'passed'],
    ])
    expect(tested_steps?.map(({ position }) => position)).toEqual([1, 3])
    const other = await server.request<{ data: ResultDetail }>('GET', path.replace(testCase.id, untested.id), { token })
    expect(formatSteps(other.body.data.tested_case ?? testCase)).toBe('Sign in v1: User, Password')

    // The text is the same again: nothing is outdated, and what was tested is still named as it was.
    await edit(id, { title: 'Log in', steps: [{ action: 'User' }, { action: 'Password' }], apply_to: 'all' })
    const { data: again } = (await server.request<{ data: ResultDetail }>('GET', path, { token })).body
    expect([again.is_outdated, again.tested_steps?.map(({ position }) => position)]).toEqual([false, [1, 3]])
    expect(again.tested_case && formatSteps(again.tested_case)).toBe('Sign in v1: User, Password | Leave')
    expect(again.test_case && formatSteps(again.test_case)).toBe('Log in v3: User, Password | Leave')
  })
})
