import type { StepInput } from '@caseward/contract/steps'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import type { CaseVersion } from '@caseward/contract/case-versions'
import { formatSteps, makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

type Scenario = Awaited<ReturnType<typeof makeSharedStepScenario>>
const toPlain = ({ steps }: TestCase): StepInput[] => steps.map(({ action, expected }) => ({ action, expected }))

/** What a client that knows shared steps sends for the steps of a test case. */
function toItems({ steps, step_groups: groups = [] }: TestCase): StepInput[] {
  return steps.flatMap(({ position, action, expected }): StepInput[] => {
    const group = groups.find(({ first, count }) => position >= first && position < first + count)
    if (group === undefined) return [{ action, expected }]
    const { shared_step_id, version, follows, first } = group
    if (position > first) return []
    return [follows ? { shared_step_id } : { shared_step_id, version }]
  })
}

/** What the steps of a test case are, by the contents of the shared steps. */
async function expectConsistent({ send }: Scenario, testCase: TestCase, isCurrent: boolean) {
  const { steps, step_groups: groups = [] } = testCase
  expect(steps.map(({ position }) => position)).toEqual(steps.map((_, index) => index + 1))
  let end = 0
  for (const { shared_step_id: id, version, follows, first, count, title } of groups) {
    expect(first).toBeGreaterThan(end)
    end = first - 1 + count
    const { status, body } = await send<{ title: string; version: number; steps: TestCase['steps'] }>(
      'GET',
      `/shared-steps/${id}?version=${version}`,
    )
    expect({ status, title: body.data.title }).toEqual({ status: 200, title })
    expect(steps.slice(first - 1, end).map(({ action }) => action)).toEqual(body.data.steps.map(({ action }) => action))
    if (!isCurrent || !follows) continue
    const current = await send<{ version: number }>('GET', `/shared-steps/${id}`)
    expect(version).toBe(current.body.data.version)
  }
  expect(end).toBeLessThanOrEqual(steps.length)
}

async function expectCorrectUses({ project, send }: Scenario, testCases: readonly TestCase[]) {
  const { rows } = await sql<{ id: string; number: number }>`
    select shared_step_id as id, case_number as number from shared_step_uses where project_id = ${project.id}`.execute(
    server.db,
  )
  const expected = testCases.flatMap(({ id, step_groups: groups = [] }) =>
    [...new Set(groups.map((group) => group.shared_step_id))].map((group) => `${group} ${id.split('-')[1]}`),
  )
  expect(rows.map(({ id, number }) => `${id} ${number}`).toSorted()).toEqual(expected.toSorted())
  const { body } = await send<{ id: string; use_count: number }[]>('GET', '/shared-steps')
  for (const { id, use_count: count } of body.data) {
    expect(count).toBe(expected.filter((use) => use.startsWith(id)).length)
  }
}

describe('test cases with shared steps', () => {
  it('read in every version as they were, whatever clients that know shared steps and clients that do not write', async () => {
    const scenario = await makeSharedStepScenario(server)
    const { send, make, create, read, patch, edit } = scenario
    const shared = [await make('Sign in', 'User', 'Password'), await make('Pay', 'Card')]
    const cases = [
      await create({ title: 'One', steps: [{ action: 'Open' }, { shared_step_id: shared[0]?.id ?? '' }] }),
      await create({ title: 'Two', steps: [{ action: 'Open' }] }),
    ]
    const copies = new Map(cases.map((testCase) => [`${testCase.id} ${testCase.version}`, testCase]))
    const action = fc.record({
      way: fc.constantFrom(
        'plain',
        'plain',
        'items',
        'import',
        'insert',
        'fixed',
        'edit',
        'edit',
        'some',
        'title',
        'detach',
        'restore',
        'bulk',
      ),
      which: fc.nat({ max: 1 }),
      sharedIndex: fc.nat({ max: 1 }),
      place: fc.nat({ max: 4 }),
      text: fc.constantFrom('A', 'B', 'User', 'Card', 'Password'),
    })
    const seed = Number(process.env['FUZZ_SEED'] ?? 11)
    for (const { way, which, sharedIndex, place, text } of fc.sample(action, { numRuns: 70, seed })) {
      const { id } = cases[which] ?? { id: '' }
      const { id: sharedId } = shared[sharedIndex] ?? { id: '' }
      const now = await read(id)
      const plain = toPlain(now)
      const apply = async () => {
        if (way === 'plain') return await patch(id, { steps: plain.toSpliced(place, 0, { action: text }) })
        if (way === 'items') return await patch(id, { steps: toItems(now).toSpliced(place, 1, { action: text }) })
        if (way === 'insert')
          return await patch(id, { steps: toItems(now).toSpliced(place, 0, { shared_step_id: sharedId }) })
        if (way === 'fixed') {
          return await patch(id, { steps: toItems(now).toSpliced(place, 0, { shared_step_id: sharedId, version: 1 }) })
        }
        if (way === 'import')
          return await send('POST', '/test-cases/import', { rows: [{ id, steps: [...plain, { action: text }] }] })
        if (way === 'edit')
          return await edit(sharedId, { steps: [{ action: text }, { action: 'Next' }], apply_to: 'all' })
        if (way === 'title') return await edit(sharedId, { title: `${text} ${place} ${sharedIndex}`, apply_to: 'all' })
        if (way === 'some') {
          const uses = await send<{ test_case_id: string }[]>('GET', `/shared-steps/${sharedId}/uses`)
          const ids = uses.body.data.slice(0, 1).map((use) => use.test_case_id)
          return await edit(sharedId, { steps: [{ action: text }], test_case_ids: ids })
        }
        if (way === 'detach') return await send('POST', `/shared-steps/${sharedId}/detach`, { test_case_ids: [id] })
        if (way === 'bulk') {
          const set = { priority: place % 2 === 0 ? 'low' : 'high' }
          return await send('POST', '/test-cases/bulk-update', { test_case_ids: [id], set })
        }
        return await send('POST', `/test-cases/${id}/versions/${1 + (place % now.version)}/restore`, {})
      }
      const { status } = await apply()
      // A restore of the current version is refused.
      const expectedStatus = way === 'restore' && status === 422 ? 422 : 200
      expect([way, status]).toEqual([way, expectedStatus])
      for (const { id: caseId } of cases) {
        const testCase = await read(caseId)
        await expectConsistent(scenario, testCase, true)
        const key = `${caseId} ${testCase.version}`
        const copy = copies.get(key)
        // Nothing changes without a new version.
        expect(formatSteps(testCase)).toBe(formatSteps(copy ?? testCase))
        copies.set(key, testCase)
        // Steps that a plain client only adds to keep all groups that they do not split.
        const isKept = way === 'import' && caseId === id
        expect(testCase.step_groups).toEqual(isKept ? now.step_groups : testCase.step_groups)
      }
    }
    expect(copies.size).toBeGreaterThan(40)
    await expectCorrectUses(scenario, await Promise.all(cases.map(({ id }) => read(id))))
    for (const [key, copy] of copies) {
      const [id, version] = key.split(' ')
      const { status, body } = await send<CaseVersion>('GET', `/test-cases/${id}/versions/${version}`)
      expect({ key, status, steps: body.data.steps, groups: body.data.step_groups }).toEqual({
        key,
        status: 200,
        steps: copy.steps,
        groups: copy.step_groups,
      })
    }
  })

  it('keep their shared steps when a client that knows only plain steps writes them back, moved or among others', async () => {
    const { make, create, patch, read } = await makeSharedStepScenario(server)
    const [signIn, pay] = [await make('Sign in', 'User', 'Password'), await make('Pay', 'Card')]
    const { id } = await create({
      title: 'Pays',
      steps: [{ action: 'Open' }, { shared_step_id: signIn.id }, { shared_step_id: pay.id, version: 1 }],
    })
    const write = async (...actions: string[]) => {
      await patch(id, { steps: actions.map((action) => ({ action })) })
      return formatSteps(await read(id))
    }
    expect(await write('Open', 'User', 'Password', 'Card')).toBe('Open | Sign in v1: User, Password | Pay v1!: Card')
    expect(await write('Card', 'Look', 'User', 'Password')).toBe('Pay v1!: Card | Look | Sign in v1: User, Password')
    expect(await write('User', 'Captcha', 'Password', 'Card')).toBe('User | Captcha | Password | Pay v1!: Card')
    expect(await write('Leave')).toBe('Leave')
    expect(await read(id)).not.toHaveProperty('step_groups')
  })
})

describe('PATCH of a shared step', () => {
  it('changes all or some of the test cases that follow it, each with a version', async () => {
    const { make, create, read, edit, send } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User', 'Password')
    const steps = [{ action: 'Open' }, { shared_step_id: id }, { action: 'Leave' }]
    const [one, two] = [await create({ title: 'One', steps }), await create({ title: 'Two', steps })]
    const fixed = await create({ title: 'Fixed', steps: [{ shared_step_id: id, version: 1 }] })
    await create({ title: 'Other', steps: [{ action: 'User' }] })

    expect((await edit(id, { steps: [{ action: 'Passkey' }], apply_to: 'all' })).body.data).toMatchObject({
      version: 2,
      use_count: 3,
    })
    const texts = async () => await Promise.all([one, two, fixed].map(async (item) => formatSteps(await read(item.id))))
    const second = 'Open | Sign in v2: Passkey | Leave'
    expect(await texts()).toEqual([second, second, 'Sign in v1!: User, Password'])

    await edit(id, { title: 'Log in', test_case_ids: [two.id] })
    expect(await texts()).toEqual([
      'Open | Sign in v2!: Passkey | Leave',
      'Open | Log in v3: Passkey | Leave',
      'Sign in v1!: User, Password',
    ])
    expect([(await read(one.id)).version, (await read(two.id)).version, (await read(fixed.id)).version]).toEqual([
      3, 3, 1,
    ])
    const { body } = await send<{ via: string; changed: string[] }[]>('GET', `/test-cases/${one.id}/versions`)
    expect(body.data.map(({ via, changed }) => [via, changed])).toEqual([
      ['shared_step', ['step_groups']],
      ['shared_step', ['steps', 'step_groups']],
      [null, []],
    ])
    const versions = await send<object[]>('GET', `/shared-steps/${id}/versions`)
    expect(versions.body.data).toMatchObject([
      { version: 3, title: 'Log in', step_count: 1 },
      { version: 2, title: 'Sign in', step_count: 1 },
      { version: 1, title: 'Sign in', step_count: 2 },
    ])
    const uses = await send<object[]>('GET', `/shared-steps/${id}/uses`)
    expect(uses.body.data).toMatchObject([
      { test_case_id: one.id, version: 2, follows: false },
      { test_case_id: two.id, version: 3, follows: true },
      { test_case_id: fixed.id, version: 1, follows: false },
    ])
  })

  it('refuses another version, a title in use, unknown test cases, and steps that a test case has no room for', async () => {
    const { make, create, read, edit } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User')
    await make('Pay', 'Card')
    const many = Array.from({ length: 499 }, (_, index) => ({ action: `Step ${index}` }))
    const full = await create({ title: 'Full', steps: [...many, { shared_step_id: id }] })
    const two = { steps: [{ action: 'User' }, { action: 'Password' }] }
    const refusals = [
      await edit(id, { ...two, apply_to: 'all' }, { 'if-match': '"7"' }),
      await edit(id, { title: 'PAY', apply_to: 'all' }),
      await edit(id, { ...two, test_case_ids: ['WEB-999'] }),
      await edit(id, two),
      await edit(id, { ...two, apply_to: 'all' }),
    ]
    expect(refusals.map(({ status, body: { code } }) => [status, code])).toEqual([
      [412, 'changed_meanwhile'],
      [409, 'title_taken'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [422, 'too_many_steps'],
    ])
    expect(await read(full.id)).toMatchObject({ version: 1, steps: { length: 500 } })
    expect((await edit(id, { ...two, test_case_ids: [] }, { 'if-match': '"1"' })).status).toBe(200)
    expect(formatSteps(await read(full.id))).toContain('Sign in v1!: User')
  })
})

describe('shared steps', () => {
  it('are made of steps of a test case, detached, and deleted with or without test cases that use them', async () => {
    const { send, create, read } = await makeSharedStepScenario(server)
    const actions = ['Open', 'User', 'Password', 'Leave']
    const { id } = await create({ title: 'One', steps: actions.map((action) => ({ action })) })
    const from = { test_case_id: id, first: 2, count: 2 }
    const { status, body } = await send('POST', '/shared-steps', { title: 'Sign in', from })
    expect([status, formatSteps(await read(id))]).toEqual([201, 'Open | Sign in v1: User, Password | Leave'])
    const overlapping = await send('POST', '/shared-steps', { title: 'Other', from })
    expect(overlapping).toMatchObject({ status: 400, body: { errors: [{ path: '/from/first' }] } })
    const sharedId = body.data.id
    expect(await send('DELETE', `/shared-steps/${sharedId}`)).toMatchObject({
      status: 409,
      body: { code: 'shared_step_in_use' },
    })
    const detach = () => send<{ detached: number }>('POST', `/shared-steps/${sharedId}/detach`, { test_case_ids: [id] })
    expect([(await detach()).body.data.detached, (await detach()).body.data.detached]).toEqual([1, 0])
    expect(formatSteps(await read(id))).toBe(actions.join(' | '))

    await send('POST', `/test-cases/${id}/versions/2/restore`, {})
    expect(formatSteps(await read(id))).toBe('Open | Sign in v1: User, Password | Leave')
    expect((await send('DELETE', `/shared-steps/${sharedId}?detach=true`)).status).toBe(204)
    expect(formatSteps(await read(id))).toBe(actions.join(' | '))
    const restored = await send<{ skipped: object[] }>('POST', `/test-cases/${id}/versions/2/restore`, {})
    expect(restored.body.data.skipped).toEqual([{ field: 'step_groups', reason: 'not_found' }])
    expect((await read(id)).steps).toHaveLength(4)
  })

  it('go with their test cases and their project', async () => {
    const { project, token, make, create, send } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'User')
    const testCase = await create({ title: 'One', steps: [{ shared_step_id: id }] })
    await send('DELETE', `/test-cases/${testCase.id}`)
    expect((await send<{ use_count: number }>('GET', `/shared-steps/${id}`)).body.data.use_count).toBe(0)
    expect((await server.request('DELETE', `/v1/projects/${project.id}`, { token })).status).toBe(200)
    const { rows } = await sql`select from shared_steps where project_id = ${project.id}`.execute(server.db)
    expect(rows).toEqual([])
  })
})
