import { describe, expect, it } from 'vitest'

import { item, readAnswers } from '../read-answers.test.helper.ts'

describe('answers of Kiwi TCMS', () => {
  it('have steps below the headings that mean them, and folders by the tree of plans', async () => {
    const text =
      '**Scenario**: pay\n\n**Setup**:\n\nA basket\n\n**Actions**:\n\n1. Open\n2. Pay\n\n**Expected results**:\n\n1. Shown\n2. Paid'
    const { cases, records, losses } = await readAnswers('kiwi', {
      users: [item({ username: 'ada', email: 'ada@example.com' })],
      plans: [item({ id: 1, name: 'Shop' }), item({ id: 2, name: 'Payment', parent: 1 })],
      plan_cases: [item({ id: '7', sortkey: 20 }, '2'), item({ id: '7', sortkey: 1 }, '1')],
      tags: [item({ id: '3 7', name: 'smoke', case: '7' })],
      properties: [item({ case: 7, name: 'Browser', value: 'Old' }), item({ case: 7, name: 'Browser', value: 'New' })],
      comments: [item({ id: 1, comment: 'Hm' }, '7')],
      cases: [
        item({
          id: 7,
          summary: 'Pays',
          text,
          is_automated: true,
          author__username: 'ada',
          create_date: '2024-01-15T09:00:00.5',
        }),
        item({ id: 8, summary: 'Explains', text: '1. is no step without a heading' }),
      ],
    })
    expect(records.filter(({ kind }) => kind === 'folder')).toMatchObject([
      { key: 'plan-1', parent: null },
      { key: 'plan-2', parent: 'plan-1' },
    ])
    expect(cases[0]).toMatchObject({
      key: '7',
      folder: 'plan-2',
      position: 20,
      precondition: 'A basket',
      step_text: { rule: 'numbered', action: '1. Open\n2. Pay', expected: '1. Shown\n2. Paid' },
      tags: ['smoke'],
      automation_keys: ['Pays'],
      fields: { Browser: 'Old, New', Automation: 'Automated' },
      created_by: 'ada@example.com',
      created_at: '2024-01-15T09:00:00.000Z',
    })
    expect(cases[0]?.descriptions[0]?.text).toBe('**Scenario**: pay')
    expect(cases[1]).toMatchObject({ precondition: '1. is no step without a heading', step_text: null, folder: null })
    expect(losses).toEqual(['case_in_several_suites', 'not_imported:comments'])
  })

  it('have comments and properties as the note of a result, and defects as such', async () => {
    const { runs, results } = await readAnswers(
      'kiwi',
      {
        categories: [item({ id: 1, name: '--default--' })],
        runs: [
          item({ id: 4, summary: 'Nightly', start_date: null, planned_start: '2024-07-01T10:00:00' }),
          item({ id: 5 }),
        ],
        executions: [
          item(
            { id: 9, case: 7, status__name: 'WAIVED', actual_duration: 61.4, stop_date: '2024-07-01T10:05:00' },
            '4',
          ),
        ],
        execution_comments: [item({ id: 2, comment: 'Slow' }, '9')],
        execution_properties: [item({ id: 3, execution: 9, name: 'OS', value: 'Linux' })],
        execution_links: [
          item({ id: 1, execution: 9, url: 'https://tracker.example/1', is_defect: true }),
          item({ id: 2, execution: 9, url: 'https://logs.example/2', name: 'Log' }),
        ],
      },
      { time_zone: 'Europe/Berlin' },
    )
    expect(runs).toMatchObject([{ key: '4', created_at: '2024-07-01T08:00:00.000Z' }])
    expect(results).toEqual([
      {
        kind: 'result',
        run: '4',
        case: '7',
        status: 'WAIVED',
        note: 'Slow\n\nOS: Linux\n\nLog: https://logs.example/2',
        elapsed_seconds: 61,
        person: '',
        at: '2024-07-01T08:05:00.000Z',
        defects: ['https://tracker.example/1'],
      },
    ])
  })
})
