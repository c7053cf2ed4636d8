import { expect, it } from 'vitest'

import { item, readAnswers } from '../read-answers.test.helper.ts'

it('answers of Testmo have the words of options, and no number that is taken for a priority', async () => {
  const fields = [
    item({
      name: 'Team',
      system_name: 'custom_team',
      values: [
        { id: 26, name: 'Auth' },
        { id: 36, name: 'Vault' },
      ],
    }),
  ]
  const testCase = {
    id: 7,
    name: 'Pays',
    estimate: 90_000_000,
    custom_priority: 1,
    custom_team: [26, 36],
    custom_test_type: 'Slow',
    custom_steps: [
      { text1: 'Then', display_order: 2 },
      { text1: 'First', text3: 'Shown', text4: 'A page', display_order: 1 },
    ],
  }
  const { cases, runs, results, losses } = await readAnswers('testmo', {
    fields,
    cases: [item(testCase)],
    runs: [item({ id: 1, name: 'Nightly', untested_count: 4 }), item({ id: 2, name: 'Old' })],
    results: [
      item({ id: 3, case_id: 7, status_id: 6, elapsed: 2_000_000, note: '<p>Later</p>', issues_name: ['BUG-1'] }, '1'),
      item({ id: 4, case_id: 7, status_id: 9, deleted_at: '2024-01-01T00:00:00Z' }, '1'),
    ],
    sessions: [item({ id: 1, name: 'Look around' })],
  })
  expect(cases[0]).toMatchObject({
    priority: 'Value 1',
    estimate: 90,
    fields: { Team: 'Auth, Vault', 'Test type': 'Slow' },
    steps: [{ action: 'First', expected: 'Shown\n\nA page' }, { action: 'Then' }],
  })
  expect(runs.map(({ name }) => name)).toEqual(['Nightly'])
  expect(results).toMatchObject([{ status: 'Skipped', elapsed_seconds: 2, note: 'Later', defects: ['BUG-1'] }])
  expect(losses).toEqual([
    'not_imported:tests_without_result',
    'not_imported:attachments_of_results',
    'not_imported:sessions',
  ])
})
