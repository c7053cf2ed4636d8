import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCase } from '@caseward/test-support/factories'
import { actOnImport, planFile } from '@caseward/test-support/import-scenario'
import { fetchExport } from '@caseward/test-support/project-export'
import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { seeTests } from '../insight-days/see-tests.ts'

const server = useSharedServer()

it('an imported run of CI has its branch and commit, but is no base, no reason of a failure and no evidence that a test is flaky, not even when it is included', async () => {
  const metadata = { branch: 'main', commit: 'abcdef1', suite: 'e2e' }
  const source = await makeEvaluationScenario(server)
  await makeTestCase(server, source.project, { title: 'Pays' })
  // Builds here must not find it by its key.
  const nightly = await source.makeRunByKey('nightly', { metadata })
  await source.upload(nightly.id, { pays: 'passed', searches: 'failed' })
  await source.patch(nightly.id, { status: 'completed' })
  const bundle = await fetchExport(server, source.project)
  const { project, build, evaluate, listVerdicts, listFlakeEvents, patch, get } = await makeEvaluationScenario(server)
  await actOnImport(server, project, await planFile(server, project, bundle, 'shop.zip'), 'apply')
  const [imported] = await server.db
    .selectFrom('runs')
    .select(['id', 'branch', 'commit_sha', 'series', 'passed_test_count', 'is_imported'])
    .where('project_id', '=', project.id)
    .where('branch', '=', 'main')
    .execute()
  expect(imported).toMatchObject({ commit_sha: 'abcdef1', series: 'e2e', passed_test_count: 1, is_imported: true })
  expect(await get(`/v1/projects/${project.id}/insight-settings`)).toMatchObject({
    data: { effective_default_branch: null },
  })

  // Nobody here has excluded it, and its tests were not seen here.
  const { warnings } = await evaluate(imported?.id ?? '')
  expect(warnings.map(({ code }) => code)).toContain('imported')
  expect(warnings.map(({ code }) => code)).not.toContain('excluded_by_hand')
  await seeTests(server.db, new AbortController().signal)
  const seen = server.db.selectFrom('tests').select(['name', 'last_seen_on']).where('project_id', '=', project.id)
  expect(await seen.orderBy('name').execute()).toEqual([
    { name: 'pays', last_seen_on: null },
    { name: 'searches', last_seen_on: null },
  ])
  await patch(imported?.id ?? '', { excluded: false })
  const own = await build({ pays: 'failed', searches: 'failed' }, { metadata })
  expect(await evaluate(own.id)).toMatchObject({ base: null })
  expect((await listVerdicts(own.id)).map(({ name, since }) => [name, since?.run_id ?? null])).toEqual([
    ['pays', own.id],
    ['searches', own.id],
  ])
  await evaluate(imported?.id ?? '')
  expect(await listFlakeEvents()).toEqual([])
  const next = await build({ pays: 'failed', searches: 'passed' }, { metadata: { ...metadata, commit: 'abcdef2' } })
  expect((await evaluate(next.id)).base).toMatchObject({ run_id: own.id })
  const { data } = await get<{ data: { runs: { id: string }[] } }>(`/v1/projects/${project.id}/health?branch=main`)
  expect(JSON.stringify(data)).not.toContain(imported?.id)
})
