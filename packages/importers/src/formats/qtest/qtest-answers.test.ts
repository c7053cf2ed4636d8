import { expect, it } from 'vitest'

import { item, readAnswers } from '../read-answers.test.helper.ts'

it('answers of qTest have modules in modules, values by their names, and a run for what contains test runs', async () => {
  const { cases, runs, results, records, losses } = await readAnswers('qtest', {
    fields: [item({ id: 9, label: 'Browser', allowed_values: [{ value: 5, label: 'Old' }] })],
    users: [item({ id: 1, first_name: 'Ada', email: 'ada@example.com' }, '1')],
    modules: [item({ id: 1, name: 'Shop', children: [{ id: 2, name: 'Payment' }] })],
    cases: [
      item({
        id: 7,
        pid: 'TC-7',
        name: 'Pays',
        parent_id: 2,
        creator_id: 1,
        properties: [
          { field_name: 'Priority', field_value: '721', field_value_name: 'High' },
          { field_id: 9, field_value: 5 },
          { field_name: 'Platforms', field_value: '[1,2]', field_value_name: '[Web, Phone]' },
        ],
        test_steps: [
          { description: 'Call', called_test_case_id: 8, order: 2 },
          { description: 'Open', order: 1 },
        ],
      }),
      item({ id: 8, pid: 'TC-8', name: 'Sign in', test_steps: [{ description: 'Type', expected: 'Typed' }] }),
    ],
    test_cycles: [item({ id: 3, name: 'Sprint', test_suites: [{ id: 4, name: 'Smoke' }] }, 'root')],
    test_runs: [
      item({ id: 51, parent_id: 4, parent_type: 'test-suite', test_case: { id: 7 }, created: '2024-07-02T00:00:00Z' }),
      item({ id: 52, parent_id: 4, parent_type: 'test-suite', test_case: { id: 8 }, created: '2024-07-01T00:00:00Z' }),
      item({ id: 53, parent_id: 9, parent_type: 'test-suite', test_case: { id: 8 } }),
    ],
    test_logs: [
      item({ id: 1, status: { name: 'Passed' }, defects: [{ pid: 'DF-1' }], test_step_logs: [{}] }, '51'),
      { of: '52' },
    ],
  })
  expect(records.filter(({ kind }) => kind === 'folder')).toMatchObject([
    { key: '1', parent: null },
    { key: '2', parent: '1' },
  ])
  expect(cases[0]).toMatchObject({
    key: 'TC-7',
    folder: '2',
    priority: 'High',
    fields: { Browser: 'Old', Platforms: 'Web, Phone' },
    steps: [{ action: 'Open' }, { action: 'Type', expected: 'Typed', shared: 'TC-8' }],
    created_by: 'ada@example.com',
  })
  expect(runs).toMatchObject([{ key: 'test-suite-4', name: 'Sprint: Smoke', created_at: '2024-07-01T00:00:00Z' }])
  expect(results).toMatchObject([
    { run: 'test-suite-4', case: 'TC-7', status: 'Passed', defects: ['DF-1'] },
    { run: 'test-suite-4', case: 'TC-8', status: 'Untested' },
  ])
  expect(losses).toEqual(['not_imported:results_of_steps'])
})
