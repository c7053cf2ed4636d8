import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, countLosses, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
import { fetchExport, readBundleRecords } from '@caseward/test-support/project-export'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { packBundle } from './pack-bundle.test.helper.ts'

const server = useTestServer()

describe('the import of a bundle', () => {
  it('stores only what is possible of hostile shared steps, configurations, combinations, steps and people, and counts the rest', async () => {
    const project = await makeProject(server)
    const long = 'x'.repeat(300_000)
    const steps = (count: number) => Array.from({ length: count }, () => ({ action: 'A', expected: 5 }))
    const combination = { place: 1, configuration: 1, status: 'passed', person: 'p', at: '2026-01-01T00:00:00Z' }
    const records = [
      { kind: 'source', key: { a: 1 }, source: 'Shop' },
      { kind: 'person', key: 'p', name: `\u0000\u202e${long}`, email: long },
      { kind: 'shared_steps', key: 's', title: ['x'], steps: steps(2), version: 1e99, created_by: 'p' },
      { kind: 'shared_steps', key: 's', title: 'Again', steps: steps(1), version: 1 },
      { kind: 'shared_steps', key: 'none', title: 'No steps', steps: 'many' },
      { kind: 'shared_steps', key: 'many', title: 'Many steps', steps: steps(101) },
      { kind: 'shared_steps', key: 'deep', title: 'untitled', steps: [{ action: `\u0000${long}` }], version: 3 },
      { kind: 'shared_step_version', shared: 'deep', version: 3, title: 'Now', steps: steps(1) },
      { kind: 'shared_step_version', shared: 'deep', version: 2, title: 5, steps: steps(1), at: 'soon' },
      { kind: 'shared_step_version', shared: 'lost', version: 1, title: 'Lost', steps: steps(1) },
      {
        kind: 'case',
        key: 'A-1',
        title: 'Uses',
        steps: [
          { shared: 'lost', steps: steps(2) },
          { shared: 'deep', version: 9, steps: steps(1) },
          { shared: 's', steps: 'none' },
          { shared: 's', version: -1, follows: 'no', steps: steps(2) },
        ],
      },
      {
        kind: 'case',
        key: 'A-2',
        title: 'Many',
        steps: Array.from({ length: 130 }, () => ({ shared: 's', version: 1, steps: steps(4) })),
      },
      { kind: 'configuration', key: 'c', group: 'Browser', group_key: 'browser', value: 'Chrome', value_key: 'chrome' },
      { kind: 'configuration', key: 'd', group: '', group_key: 'browser', value: 'CHROME', value_key: 'other' },
      { kind: 'configuration', key: 'e', group: 'x', group_key: "'; drop table runs", value: 5, value_key: 'a' },
      {
        kind: 'run',
        key: 'r',
        name: 'Run',
        created_at: '2026-01-01',
        last_configuration_place: 1e9,
        configurations: [
          ...[0, 1.5, 40_000, '1', null].map((place) => ({ place, name: 'x', values: [] })),
          { place: 1, name: 5, values: [{ id: 'c', group_key: 'browser', key: 'chrome', variants: [5, long] }] },
          { place: 1, name: 'Twice', values: [] },
          { place: 2, name: 'Keys', values: [{ group_key: 'A B', key: '' }] },
        ],
      },
      {
        kind: 'result',
        run: 'r',
        case: 'A-1',
        status: 'failed',
        person: 'p',
        at: '2026-01-02T00:00:00Z',
        combinations: [
          combination,
          combination,
          { ...combination, place: 2, configuration: 2 },
          { ...combination, place: 3, status: [] },
          7,
        ],
        steps: [{ place: 0, case_steps: '%%%%', steps: [{ position: 1, status: 'passed' }] }],
      },
      {
        kind: 'result',
        run: 'r',
        case: 'A-2',
        status: 'passed',
        person: { name: 'Nobody' },
        at: '2026-01-02T00:00:00Z',
        steps: [{ place: 0, case_steps: 'aaaa', steps: [{ position: -1, status: 'passed' }] }],
      },
    ]
    const bundle = await packBundle(records)
    const done = await actOnImport(server, project, await planFile(server, project, bundle, 'shop.zip'), 'apply')
    expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
    expect(summarizePlan(done)).toEqual(
      expect.arrayContaining([
        'shared_steps create 2',
        'shared_steps not_imported 3',
        'shared_step_version create 1',
        'shared_step_version not_imported 2',
        'configuration create 1',
        'configuration not_imported 2',
        'result create 2',
        'person create 1',
      ]),
    )
    expect(countLosses(done)).toMatchObject({
      shared_step_inlined: 2,
      shared_step_renamed: 1,
      'not_imported:configurations_of_runs': 7,
      'not_imported:results_of_configurations': 3,
      'not_imported:results_of_steps': 2,
      status_of_configurations: 1,
    })
    await expectCorrectCounters(server, project.id)
    const stored = await readBundleRecords(await fetchExport(server, project))
    expect(stored.find(({ title }) => title === 'Uses')).toMatchObject({
      steps: [{ action: 'A' }, { action: 'A' }, { action: 'A' }, { version: 1, steps: [{}, {}] }],
    })
    expect(stored.find(({ kind }) => kind === 'run')).toMatchObject({
      configurations: [{ place: 1, name: 'Untitled' }],
    })
    const again = await planFile(server, project, await fetchExport(server, project), 'own.zip')
    expect(again).toMatchObject({ state: 'planned', error: null })
  })
})

it('a bundle brings results of steps to combinations that an earlier import brought without them', async () => {
  const project = await makeProject(server)
  const at = '2026-01-02T00:00:00Z'
  const steps = { case_steps: 'abcd', steps: [{ position: 1, status: 'failed', actual: 'Error 500' }] }
  const pack = (own: object[]) =>
    packBundle([
      { kind: 'source', key: 'p', source: 'Shop' },
      { kind: 'case', key: 'A-1', title: 'Pays', steps: [{ action: 'Open', expected: '' }] },
      { kind: 'configuration', key: 'c', group: 'Browser', group_key: 'browser', value: 'Chrome', value_key: 'chrome' },
      {
        kind: 'run',
        key: 'r',
        name: 'Run',
        created_at: '2026-01-01T00:00:00Z',
        configurations: [{ place: 1, name: 'Chrome', values: [{ id: 'c', group_key: 'browser', key: 'chrome' }] }],
      },
      {
        kind: 'result',
        run: 'r',
        case: 'A-1',
        status: 'failed',
        at,
        combinations: [{ place: 1, configuration: 1, status: 'failed', at }],
        steps: own,
      },
    ])
  await actOnImport(server, project, await planFile(server, project, await pack([]), 'shop.zip'), 'apply')
  const results = async () =>
    (await readBundleRecords(await fetchExport(server, project))).filter(({ kind }) => kind === 'result')
  expect(await results()).toMatchObject([{ combinations: [{ place: 1, status: 'failed' }], steps: null }])
  const file = await pack([{ place: 1, ...steps }])
  const done = await actOnImport(server, project, await planFile(server, project, file, 'shop.zip'), 'apply')
  expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
  expect(await results()).toMatchObject([{ steps: [{ place: 1, steps: [{ actual: 'Error 500' }] }] }])
  await expectCorrectCounters(server, project.id)
})
