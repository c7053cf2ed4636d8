import { expect, it } from 'vitest'

import { item, readAnswers } from '../read-answers.test.helper.ts'

it('answers of PractiTest have tests by the ids that people see, and untested instances', async () => {
  const toObject = (id: string, attributes: object) => ({ id, attributes })
  const { cases, runs, results, losses } = await readAnswers('practitest', {
    custom_fields: [item(toObject('82', { name: 'Browser' }))],
    tests: [
      item(toObject('901', { 'display-id': 1, name: 'Sign in' })),
      item(
        toObject('902', {
          'display-id': 2,
          name: 'Pay',
          'duration-estimate': '01:00:30',
          'folder-id': 5,
          'custom-fields': { '---f-82': ['Old', 'New'], '---f-83': 'x' },
        }),
      ),
      item(toObject('903', { 'display-id': 3, name: 'Scenario', scenario: 'Given a basket' })),
    ],
    steps: [
      item(
        toObject('3', { 'test-id': 902, name: 'Pay', description: 'By card', 'expected-results': 'Paid', position: 2 }),
      ),
      item(toObject('2', { 'test-id': 902, 'test-to-call-id': 901, name: 'Call To Test #1', position: 1 })),
      item(toObject('1', { 'test-id': 901, name: 'Type', position: 1 })),
    ],
    sets: [item(toObject('7', { name: 'Nightly' })), item(toObject('8', { name: 'Old' }))],
    instances: [item(toObject('71', { 'test-id': 902 }), '7'), item(toObject('72', { 'test-id': 901 }), '7')],
    runs: [
      item(
        toObject('5', {
          'test-id': 902,
          'instance-id': 71,
          status: 'NOT COMPLETED',
          'run-duration': '00:00:05',
          version: '2',
        }),
        '7',
      ),
    ],
  })
  expect(cases[1]).toMatchObject({
    key: '2',
    estimate: 3630,
    steps: [
      { action: 'Type', shared: '1' },
      { action: '**Pay**\n\nBy card', expected: 'Paid' },
    ],
    fields: { Browser: 'Old, New', 'Field 83': 'x' },
  })
  expect(cases[2]).toMatchObject({ template: 'gherkin', step_text: { action: 'Given a basket' } })
  expect(runs.map(({ name }) => name)).toEqual(['Nightly'])
  expect(results).toMatchObject([
    { run: '7', case: '2', status: 'In progress', elapsed_seconds: 5, note: 'Version: 2' },
    { run: '7', case: '1', status: 'Untested' },
  ])
  expect(losses).toEqual(['not_imported:folders'])
})
