import { describe, expect, it } from 'vitest'

import { ANSWER_FORMATS } from './answer-formats.ts'
import { item, readAnswers } from './read-answers.test.helper.ts'

describe('answers of TestRail', () => {
  it('have options, users and milestones by their names, and scenarios as text', async () => {
    const { cases } = await readAnswers('testrail', {
      users: [item({ id: 2, name: 'Ada', email: 'ada@example.com' })],
      milestones: [item({ id: 5, name: 'Release 1' })],
      case_fields: [
        item({ system_name: 'custom_risk', type_id: 12, configs: [{ options: { items: '1, Low\n2, High, very' } }] }),
        item({ system_name: 'custom_reviewer', type_id: 7, configs: [] }),
      ],
      cases: [
        item({
          id: 7,
          title: 'Pays',
          milestone_id: 5,
          custom_risk: [1, 2],
          custom_reviewer: 2,
          custom_flag: false,
          custom_testrail_bdd_scenario: '[{"content":"Given a basket"},{"content":"Then it is paid"}]',
        }),
        item({ id: 8, title: 'Deleted', is_deleted: 1 }),
      ],
    })
    expect(cases).toHaveLength(1)
    expect(cases[0]).toMatchObject({
      key: 'C7',
      template: 'gherkin',
      step_text: { action: 'Given a basket\n\nThen it is paid' },
      fields: { milestone: 'Release 1', risk: 'Low, High, very', reviewer: 'ada@example.com', flag: 'No' },
    })
  })

  it('keep the status before a comment, the newest last, and count what has no place', async () => {
    const { results, losses } = await readAnswers('testrail', {
      statuses: [item({ id: 5, label: 'Failed' })],
      runs: [item({ id: 1, name: 'Nightly' })],
      tests: [item({ id: 11, case_id: 7 }, '1'), item({ id: 12, case_id: 8 }, '1')],
      results: [
        item({ id: 3, test_id: 11, status_id: null, comment: 'Known', created_on: 1_700_000_060 }, '1'),
        item({ id: 2, test_id: 11, status_id: 5, custom_browser: 'Old', created_on: 1_700_000_000 }, '1'),
      ],
    })
    expect(results.map(({ case: key, status, note, at }) => [key, status, note, at])).toEqual([
      ['C7', 'Failed', '', '2023-11-14T22:13:20.000Z'],
      ['C7', 'Failed', 'Known', '2023-11-14T22:14:20.000Z'],
      ['C8', 'Untested', '', ''],
    ])
    expect(losses).toEqual(['not_imported:fields_of_results'])
  })
})

it('answers of Qase have nested steps with their number, and options by their words', async () => {
  const { cases } = await readAnswers('qase', {
    system_fields: [item({ slug: 'priority', options: [{ id: 1, title: 'High', slug: 'high' }] })],
    custom_fields: [item({ id: 4, title: 'Browsers', value: '[{"id":1,"title":"Old"},{"id":2,"title":"New"}]' })],
    cases: [
      item({
        id: 9,
        title: 'Pays',
        priority: 1,
        params: { user: ['a', 'b'] },
        custom_fields: [{ id: 4, value: '1,2' }],
        steps: [{ position: 2, action: 'Open', expected_result: 'Shown', steps: [{ action: 'Scroll' }] }],
      }),
    ],
  })
  expect(cases[0]).toMatchObject({
    key: '9',
    priority: 'high',
    fields: { Browsers: 'Old, New' },
    steps: [{ action: 'Open', expected: 'Shown' }, { action: '2.1 Scroll' }],
    data_set: { columns: ['user'], rows: [['a'], ['b']] },
  })
})

it('answers of Xray have the steps of called tests, and descriptions of both editors', async () => {
  const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'First' }] }] }
  const { cases } = await readAnswers('xray', {
    tests: [
      item({ issueId: '1', jira: { key: 'BB-1', summary: 'Sign in', description: doc }, steps: [{ action: 'Type' }] }),
      item({
        issueId: '2',
        jira: { key: 'BB-2', summary: 'Pay' },
        steps: [{ callTestIssueId: '1' }, { callTestIssueId: '3' }],
      }),
      item({ issueId: '4', jira: { key: 'BB-4' }, testType: { kind: 'Gherkin' }, gherkin: 'Given a basket' }),
    ],
  })
  expect(cases[0]?.descriptions).toEqual([{ heading: 'Description', text: 'First' }])
  expect(cases[1]?.steps).toMatchObject([
    { action: 'Type', shared: 'BB-1' },
    { action: '', shared: '3' },
  ])
  expect(cases[2]).toMatchObject({ key: 'BB-4', template: 'gherkin', step_text: { action: 'Given a basket' } })
})

it('answers of Zephyr Scale have steps of called test cases, and a run for executions without a cycle', async () => {
  const { cases, runs, results } = await readAnswers('zephyr-scale', {
    testcases: [item({ key: 'BB-T1', name: 'Sign in' }), item({ key: 'BB-T2', name: 'Pay', component: { id: 1 } })],
    teststeps: [
      item({ inline: { description: 'Type', expectedResult: 'Typed' } }, 'BB-T1'),
      item({ testCase: { testCaseKey: 'BB-T1' } }, 'BB-T2'),
    ],
    testexecutions: [item({ id: 1, testCase: { self: 'https://x/v2/testcases/BB-T2/versions/1' } })],
  })
  expect(cases[1]?.steps).toMatchObject([{ action: 'Type', expected: 'Typed', shared: 'BB-T1' }])
  expect(runs.map(({ name }) => name)).toEqual(['Executions without a cycle'])
  expect(results).toMatchObject([{ run: 'no-cycle', case: 'BB-T2' }])
})

it('answers of TestLink have times of the zone of its server, and a run for each platform', async () => {
  const lists = {
    project: [item({ prefix: 'BB' })],
    cases: [item({ id: '5', name: 'Pays', external_id: '12', creation_ts: '2023-08-28 10:00:00' }, '3')],
    platforms: [item({ id: '7', name: 'Linux' }, '1')],
    builds: [item({ id: '2', name: 'Build 2', creation_ts: '2023-01-28 10:00:00' }, '1')],
    plans: [item({ id: '1', name: 'Plan' })],
    plan_cases: [item({ id: '5' }, '1'), item({ id: '6' }, '1')],
    executions: [
      item({ id: '8', build_id: '2', platform_id: '7', status: 'p', bugs: { 3: { bug_id: 'B-3' } } }, '1 5'),
    ],
  }
  const { cases, runs, results, losses } = await readAnswers('testlink', lists, { time_zone: 'Europe/Berlin' })
  expect(cases[0]).toMatchObject({ key: 'BB-12', folder: '3', created_at: '2023-08-28T08:00:00.000Z' })
  expect(runs).toMatchObject([{ name: 'Plan: Build 2 (Linux)', created_at: '2023-01-28T09:00:00.000Z' }])
  expect(results).toMatchObject([{ run: 'build-2-platform-7', case: 'BB-12', defects: ['B-3'] }])
  expect(losses).toEqual(['not_imported:tests_without_execution'])
})

it.each(ANSWER_FORMATS.map(({ system }) => [system]))('answers of %s can be anything', async (system) => {
  const odd = [
    { id: {}, steps: 'x', custom_fields: [1, null], jira: 7, folder: [], links: 3, display_order: 'first' },
    { id: 1e300, position: '9' },
  ]
  const names = [
    'suites',
    'sections',
    'folders',
    'cases',
    'tests',
    'testcases',
    'teststeps',
    'users',
    'authors',
    'statuses',
  ]
  const others = [
    'runs',
    'plan',
    'plans',
    'results',
    'executions',
    'builds',
    'testcycles',
    'testexecutions',
    'test_runs',
    'test_logs',
    'test_cycles',
    'modules',
    'fields',
    'sets',
    'instances',
    'suite_cases',
    'plan_cases',
    'shared_items',
    'execution_links',
    'properties',
  ]
  const lists = Object.fromEntries(
    [...names, ...others].map((name) => [name, [...odd.map((each) => item(each, '1')), { of: '2' }]]),
  )
  await expect(readAnswers(system, { ...lists, test_executions: odd.map((each) => item(each)) })).resolves.toBeDefined()
})
