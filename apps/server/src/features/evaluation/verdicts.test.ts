import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'

const server = useSharedServer()
const PR = { branch: 'feature/cart', base_branch: 'main', pull_request: '17' }
const failing = (message: string) => ({ statuses: ['failed'] as const, message })
const REFUSED = failing('connect ECONNREFUSED 127.0.0.1:5432')
const outage = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`outage ${index}`, REFUSED]))

describe('GET /v1/runs/:run_id/verdicts', () => {
  it('decides each verdict of a pull request against its base branch', async () => {
    const { build, evaluate, getVerdicts, listVerdicts, quarantine, findTestId } = await makeEvaluationScenario(server)
    const broken = failing('TypeError: Cannot read properties of undefined')
    const base = await build({
      passes: 'passed',
      'flakes here': 'passed',
      'is fixed': 'failed',
      'is quarantined': 'passed',
      'could not run': 'passed',
      'never runs': 'blocked',
      'was red': broken,
      'is red of something else': broken,
      'was red without words': failing('expected:<1> but was:<2>'),
      'is red of other values': failing('expected:<1> but was:<2>'),
      'breaks here': 'passed',
      vanishes: 'passed',
      'is skipped': 'skipped',
    })
    await quarantine(await findTestId('is quarantined'))
    const run = await build(
      {
        passes: 'passed',
        'flakes here': ['failed', 'passed'],
        'is fixed': 'passed',
        'is quarantined': 'failed',
        'could not run': 'interrupted',
        'never runs': 'blocked',
        'was red': broken,
        'is red of something else': failing('Timeout of 5 s while the payment page opened'),
        'was red without words': failing('expected:<1> but was:<2>'),
        'is red of other values': failing('expected:<1> but was:<3>'),
        'breaks here': 'failed',
        'is written now': 'failed',
        'is skipped': 'skipped',
      },
      { metadata: PR },
    )
    expect(await getVerdicts(run.id)).toEqual({
      'flakes here': 'flaked',
      'is fixed': 'fixed',
      'is quarantined': 'quarantined',
      'could not run': 'not_run!',
      'was red': 'already_red',
      'is red of something else': 'changed!',
      'was red without words': 'already_red',
      'is red of other values': 'changed!',
      'breaks here': 'new!',
      'is written now': 'new_test!',
    })
    const evaluation = await evaluate(run.id)
    expect(evaluation).toMatchObject({
      is_current: true,
      is_complete: true,
      is_settled: true,
      excluded: null,
      base: { run_id: base.id, branch: 'main', is_exact: false },
      blocking_count: 5,
      counts: {
        flaked: 1,
        fixed: 1,
        quarantined: 1,
        not_run: 1,
        already_red: 2,
        changed: 2,
        new: 1,
        new_test: 1,
        missing: 1,
      },
      tests: { executed: 10, passed: 3 },
    })
    expect(evaluation.warnings.map(({ code }) => code)).toEqual(['missing_tests'])
    expect(await getVerdicts(run.id, 'verdict=missing')).toEqual({ vanishes: 'missing' })
    expect(Object.keys(await getVerdicts(run.id, 'blocks=true'))).toHaveLength(5)
    const red = await listVerdicts(run.id, 'verdict=already_red')
    expect(red.find(({ name }) => name === 'was red')).toMatchObject({
      message_line: 'TypeError: Cannot read properties of undefined',
      base_run_id: base.id,
      since: { run_id: run.id, runs: 1 },
      signature: expect.stringMatching(/^[0-9a-f]{32}$/),
      is_first_flake: false,
    })
    expect(await listVerdicts(run.id, 'verdict=flaked')).toMatchObject([{ is_first_flake: true, blocks: false }])
  })

  it('calls failures of 20 tests with one cause the environment, and blocks', async () => {
    const { build, getVerdicts } = await makeEvaluationScenario(server)
    const names = Object.keys(outage(21))
    const all = Object.fromEntries(names.map((name) => [name, 'passed' as const]))
    const others = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`other ${index}`, 'passed' as const]))
    await build({ ...all, ...others, 'fails itself': 'passed', 'was refused': REFUSED })
    const run = await build(
      { ...outage(21), ...others, 'fails itself': 'failed', 'was refused': REFUSED },
      { metadata: PR },
    )
    const verdicts = await getVerdicts(run.id)
    expect(names.map((name) => verdicts[name])).toEqual(names.map(() => 'environment!'))
    expect(verdicts).toMatchObject({ 'fails itself': 'new!', 'was refused': 'already_red' })
    const fewer = await build({ ...all, ...others, ...outage(19) }, { metadata: PR })
    expect((await getVerdicts(fewer.id))['outage 0']).toBe('new!')
  })

  it('explains a known flaky failure without excusing it, and only one that it flaked with', async () => {
    const { build, getVerdicts, listFlakeEvents } = await makeEvaluationScenario(server)
    const flakes = {
      flaps: { statuses: ['failed', 'passed'] as const, message: 'Timeout: the page of the cart did not open' },
    }
    for (const commit of ['1111111', '2222222'])
      await build(flakes, { metadata: { branch: 'main', commit } }).then(({ id }) => getVerdicts(id))
    expect(await listFlakeEvents()).toEqual([
      { name: 'flaps', kind: 'retry', commit_key: '1111111' },
      { name: 'flaps', kind: 'retry', commit_key: '2222222' },
    ])
    const known = await build({ flaps: failing('Timeout: the page of the cart did not open') }, { metadata: PR })
    expect(await getVerdicts(known.id)).toEqual({ flaps: 'known_flaky!' })
    const other = await build({ flaps: failing('TypeError: prices is not iterable') }, { metadata: PR })
    expect(await getVerdicts(other.id)).toEqual({ flaps: 'new!' })
  })

  it('calls every failure new without a base run, and says why there is none', async () => {
    const { build, evaluate, getVerdicts } = await makeEvaluationScenario(server)
    const first = await build({ fails: 'failed', passes: 'passed' })
    expect(await getVerdicts(first.id)).toEqual({ fails: 'new!' })
    expect(await evaluate(first.id)).toMatchObject({ base: null, warnings: [{ code: 'no_base' }] })
    const nightly = await build({ fails: 'failed' }, { metadata: { branch: 'main', suite: 'nightly' } })
    expect(await getVerdicts(nightly.id)).toEqual({ fails: 'new!' })
    const old = await makeEvaluationScenario(server)
    await old.build({ fails: 'failed' }, { daysAgo: 15 })
    const late = await old.build({ fails: 'failed' }, { metadata: PR })
    expect((await old.evaluate(late.id)).base).toBeNull()
    const unknown = await old.build({ fails: 'failed' }, { metadata: { branch: 'x', default_branch: '' } })
    await sql`update projects set reported_default_branch = null where id = ${old.project.id}`.execute(server.db)
    await sql`update runs set branch = 'develop' where project_id = ${old.project.id} and branch = 'main'`.execute(
      server.db,
    )
    expect((await old.evaluate(unknown.id)).warnings.map(({ code }) => code)).toEqual(['no_default_branch', 'no_base'])
  })

  it('compares each test with the first base run that executed it, and the exact base commit first', async () => {
    const { build, evaluate, getVerdicts } = await makeEvaluationScenario(server)
    const exact = await build({ a: 'failed', b: 'failed' }, { metadata: { branch: 'main', commit: 'aaaaaaa' } })
    await build({ b: 'passed', c: 'failed' }, { metadata: { branch: 'main', commit: 'bbbbbbb' } })
    const newest = await build({ a: 'skipped', c: 'passed' }, { metadata: { branch: 'main', commit: 'ccccccc' } })
    const run = await build({ a: 'failed', b: 'failed', c: 'failed' }, { metadata: PR })
    expect((await evaluate(run.id)).base?.run_id).toBe(newest.id)
    expect(await getVerdicts(run.id)).toEqual({ a: 'already_red', b: 'new!', c: 'new!' })
    const onExact = await build(
      { a: 'failed', b: 'failed', c: 'failed' },
      { metadata: { ...PR, base_commit: 'AAAAAAA' } },
    )
    expect((await evaluate(onExact.id)).base).toMatchObject({ run_id: exact.id, is_exact: true, commit: 'aaaaaaa' })
    expect(await getVerdicts(onExact.id)).toEqual({ a: 'already_red', b: 'already_red', c: 'new!' })
    // Nothing that comes later makes the run of the base commit another one, so that it need not be settled.
    const open = await build(
      { a: 'passed' },
      { metadata: { branch: 'main', commit: 'ddddddd' }, upload: { job: 'unit' }, isOpen: true },
    )
    const onOpen = await build({ a: 'failed', b: 'failed' }, { metadata: { ...PR, base_commit: 'ddddddd' } })
    expect((await evaluate(onOpen.id)).base).toMatchObject({ run_id: open.id, is_exact: true })
    expect(await getVerdicts(onOpen.id)).toEqual({ a: 'new!', b: 'new!' })
  })

  it('takes no excluded, untrusted, open or pull request run, and no queue, as a base', async () => {
    const { build, evaluate, getVerdicts, patch, upload } = await makeEvaluationScenario(server)
    const good = await build({ fails: 'passed' })
    const excluded = await build({ fails: 'failed' })
    await patch(excluded.id, { excluded: true })
    const untrusted = await build({ fails: 'failed' })
    await sql`update runs set is_trusted = false where id = ${untrusted.id}`.execute(server.db)
    await build({ fails: 'failed' }, { isOpen: true })
    await build({ fails: 'failed' }, { metadata: { branch: 'main', pull_request: '3' } })
    await build({ fails: 'failed' }, { metadata: { branch: 'gh-readonly-queue/main/pr-4-abcdef1' } })
    const run = await build({ fails: 'failed' }, { metadata: PR })
    expect((await evaluate(run.id)).base?.run_id).toBe(good.id)
    expect(await getVerdicts(run.id)).toEqual({ fails: 'new!' })
    expect((await evaluate(excluded.id)).excluded).toBe('by_hand')
    const queued = await build({ fails: 'failed' }, { metadata: { branch: 'gh-readonly-queue/main/pr-5-abcdef1' } })
    expect((await evaluate(queued.id)).base?.run_id).toBe(good.id)
    // A reopened run is evaluated again with what comes.
    await patch(run.id, { status: 'in_progress' })
    expect((await evaluate(run.id)).is_settled).toBe(false)
    await upload(run.id, { fails: 'passed' })
    expect(await getVerdicts(run.id)).toEqual({})
  })

  it('is red on a broken main each time, and does not block a pull request for it', async () => {
    const { build, evaluate, getVerdicts, listVerdicts } = await makeEvaluationScenario(server)
    await build({ fails: 'passed', other: 'passed' })
    const red = []
    for (let round = 0; round < 3; round += 1) red.push(await build({ fails: 'failed', other: 'passed' }))
    const verdicts = await Promise.all(red.map(({ id }) => getVerdicts(id)))
    expect(verdicts).toEqual([{ fails: 'new!' }, { fails: 'already_red!' }, { fails: 'already_red!' }])
    expect(await listVerdicts(red[2]?.id ?? '')).toMatchObject([{ since: { run_id: red[0]?.id, runs: 3 } }])
    const run = await build({ fails: 'failed', other: 'passed' }, { metadata: PR })
    expect(await evaluate(run.id)).toMatchObject({ blocking_count: 0, counts: { already_red: 1 } })
  })

  it('follows a moved default branch, and quarantine only on branches that match', async () => {
    const { build, getVerdicts, project, token, quarantine, findTestId } = await makeEvaluationScenario(server)
    await build({ fails: 'failed', guarded: 'passed' })
    await build({ fails: 'passed', guarded: 'passed' }, { metadata: { branch: 'develop' } })
    const before = await build({ fails: 'failed' }, { metadata: { branch: 'x' } })
    expect(await getVerdicts(before.id)).toEqual({ fails: 'already_red' })
    const settings = `/v1/projects/${project.id}/insight-settings`
    const changed = await server.request('PATCH', settings, { token, body: { default_branch: 'develop' } })
    expect(changed.body).toMatchObject({ data: { default_branch: 'develop', effective_default_branch: 'develop' } })
    const after = await build({ fails: 'failed' }, { metadata: { branch: 'x' } })
    expect(await getVerdicts(after.id)).toEqual({ fails: 'new!' })
    await quarantine(await findTestId('guarded'), ['release/*'])
    const develop = await build({ guarded: 'failed' }, { metadata: { branch: 'develop' } })
    expect(await getVerdicts(develop.id)).toEqual({ guarded: 'new!' })
    const release = await build({ guarded: 'failed' }, { metadata: { branch: 'release/2.4' } })
    expect(await getVerdicts(release.id)).toEqual({ guarded: 'quarantined' })
  })
})
