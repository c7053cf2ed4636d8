import { describe, expect, it } from 'vitest'

import { fromBytes, type ImportFile } from '../input/import-file.ts'
import { Losses } from '../losses.ts'
import type { CaseRecord, ImportRecord, ResultRecord, RunRecord } from '../records.ts'
import { ANSWER_FORMATS } from './answer-formats.ts'
import { Answers } from './answers.ts'

type Lists = Readonly<Record<string, readonly { of?: string; item?: unknown }[]>>

/** Reads answers as the command writes them. */
async function read(system: string, lists: Lists, manifest = {}) {
  const files = new Map<string, ImportFile>()
  for (const [name, lines] of Object.entries(lists)) {
    const text = lines.map(({ of = '', item }) => `${JSON.stringify({ of, item })}\n`).join('')
    files.set(`answers/${name}.ndjson`, fromBytes(name, Buffer.from(text)))
  }
  const losses = new Losses()
  const records: ImportRecord[] = []
  const format = ANSWER_FORMATS.find((each) => each.system === system)
  for await (const record of format?.read(new Answers(files, manifest), { losses, ask: () => undefined }) ?? []) {
    records.push(record)
  }
  const pick = <R extends ImportRecord>(kind: R['kind']) => records.filter((record) => record.kind === kind) as R[]
  return {
    cases: pick<CaseRecord>('case'),
    runs: pick<RunRecord>('run'),
    results: pick<ResultRecord>('result'),
    records,
    losses: losses.list().map(({ code }) => code),
  }
}

const item = (value: object, of = '') => ({ of, item: value })

describe('answers of TestRail', () => {
  it('have options, users and milestones by their names, and scenarios as text', async () => {
    const { cases } = await read('testrail', {
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
    const { results, losses } = await read('testrail', {
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
  const { cases } = await read('qase', {
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
  const { cases } = await read('xray', {
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
  const { cases, runs, results } = await read('zephyr-scale', {
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
  const { cases, runs, results, losses } = await read('testlink', lists, { time_zone: 'Europe/Berlin' })
  expect(cases[0]).toMatchObject({ key: 'BB-12', folder: '3', created_at: '2023-08-28T08:00:00.000Z' })
  expect(runs).toMatchObject([{ name: 'Plan: Build 2 (Linux)', created_at: '2023-01-28T09:00:00.000Z' }])
  expect(results).toMatchObject([{ run: 'build-2-platform-7', case: 'BB-12', defects: ['B-3'] }])
  expect(losses).toEqual(['not_imported:tests_without_execution'])
})

describe('answers of Kiwi TCMS', () => {
  it('have steps below the headings that mean them, and folders by the tree of plans', async () => {
    const text =
      '**Scenario**: pay\n\n**Setup**:\n\nA basket\n\n**Actions**:\n\n1. Open\n2. Pay\n\n**Expected results**:\n\n1. Shown\n2. Paid'
    const { cases, records, losses } = await read('kiwi', {
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
    const { runs, results } = await read(
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
  const { cases, runs, results, losses } = await read('testmo', {
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

describe('answers of Azure Test Plans', () => {
  const step = (action: string, expected: string) =>
    `<step type="ValidateStep"><parameterizedString>&lt;P&gt;${action}&lt;/P&gt;</parameterizedString><parameterizedString>${expected}</parameterizedString></step>`
  const toItem = (id: number, fields: object, relations: readonly object[] = []) => item({ id, fields, relations })

  it('have the steps of shared ones before those within them, rows, and links to work items', async () => {
    const shared = {
      'System.WorkItemType': 'Shared Steps',
      'System.Title': 'Sign in',
      'Microsoft.VSTS.TCM.Steps': `<steps>${step('Type', '')}</steps>`,
    }
    const parameters = {
      'System.WorkItemType': 'Shared Parameter',
      'Microsoft.VSTS.TCM.Parameters':
        '<parameterSet><paramData><dataRow id="1"><kvp key="User" value="ada"/></dataRow></paramData></parameterSet>',
    }
    const { cases, losses, records } = await read('azure', {
      suites: [item({ id: 1, name: 'Plan' }, '1'), item({ id: 2, name: 'Payment', parentSuite: { id: 1 } }, '1')],
      suite_cases: [item({ id: '7', order: 3 }, '1 2'), item({ id: '7', order: 1 }, '1 1')],
      shared_items: [toItem(20, shared), toItem(21, parameters)],
      cases: [
        toItem(
          7,
          {
            'System.Title': 'Pays',
            'System.Tags': 'smoke; web',
            'System.CreatedBy': { displayName: 'Ada', uniqueName: 'ada@example.com' },
            'Custom.Browser': 'Old',
            'Microsoft.VSTS.TCM.Steps': `<steps><compref id="2" ref="20">${step('Pay', 'Paid')}</compref></steps>`,
            'Microsoft.VSTS.TCM.LocalDataSource':
              '<NewDataSet><xs:schema xmlns:xs="x"><xs:element name="Table1"/></xs:schema><Table1><User_x0020_name>a</User_x0020_name></Table1></NewDataSet>',
          },
          [{ rel: 'Microsoft.VSTS.Common.TestedBy-Reverse', url: 'https://dev.azure.com/acme/_apis/wit/workItems/12' }],
        ),
        toItem(8, {
          'System.Title': 'Shared data',
          'Microsoft.VSTS.TCM.LocalDataSource':
            '{"parameterMap":[{"localParamName":"name","sharedParameterName":"User"}],"sharedParameterDataSetIds":[21]}',
        }),
        toItem(9, {
          'System.Title': 'Damaged',
          'Microsoft.VSTS.TCM.Steps': '<steps><step>',
          'Microsoft.VSTS.TCM.LocalDataSource': '{',
        }),
      ],
    })
    expect(cases[0]).toMatchObject({
      folder: 'suite-2',
      position: 3,
      steps: [
        { action: '<P>Type</P>', shared: '20' },
        { action: '<P>Pay</P>', expected: 'Paid' },
      ],
      tags: ['smoke', 'web'],
      fields: { Browser: 'Old' },
      links: [{ target: 'https://dev.azure.com/acme/_workitems/edit/12', kind: 'requirement' }],
      data_set: { columns: ['User name'], rows: [['a']] },
      created_by: 'ada@example.com',
    })
    expect(cases[1]).toMatchObject({ data_set: { columns: ['name'], rows: [['ada']] }, folder: null })
    expect(losses).toEqual(['case_in_several_suites', 'not_imported:damaged_steps', 'not_imported:test_data'])
    expect(records.at(-1)).toEqual({ kind: 'person', key: 'ada@example.com', name: 'Ada', email: 'ada@example.com' })
  })

  it('have a run for each configuration, area paths as folders without suites, and no runs of pipelines', async () => {
    const { cases, runs, results, losses } = await read('azure', {
      cases: [toItem(7, { 'System.Title': 'Pays', 'System.AreaPath': 'Shop\\Payment' })],
      runs: [item({ id: 4, name: 'Nightly', startedDate: '2024-07-01T10:00:00Z' }), item({ id: 5, isAutomated: true })],
      results: [
        item(
          { id: 1, testCase: { id: '7' }, outcome: 'NotApplicable', configuration: { id: '1', name: 'Chrome' } },
          '4',
        ),
        item({ id: 2, testCase: { id: '7' }, outcome: 'None', configuration: { id: '2', name: 'Firefox' } }, '4'),
      ],
    })
    expect(cases[0]).toMatchObject({ folder: 'Shop/Payment' })
    expect(runs.map(({ key, name }) => [key, name])).toEqual([
      ['4-1', 'Nightly (Chrome)'],
      ['4-2', 'Nightly (Firefox)'],
    ])
    expect(results.map(({ run, status }) => [run, status])).toEqual([
      ['4-1', 'Not Applicable'],
      ['4-2', 'Not Executed'],
    ])
    expect(losses).toEqual(['not_imported:automated_runs'])
  })
})

it('answers of PractiTest have tests by the ids that people see, and untested instances', async () => {
  const toObject = (id: string, attributes: object) => ({ id, attributes })
  const { cases, runs, results, losses } = await read('practitest', {
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

it('answers of qTest have modules in modules, values by their names, and a run for what contains test runs', async () => {
  const { cases, runs, results, records, losses } = await read('qtest', {
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
  ]
  const lists = Object.fromEntries(
    [...names, ...others].map((name) => [name, [...odd.map((each) => item(each, '1')), { of: '2' }]]),
  )
  await expect(read(system, { ...lists, test_executions: odd.map((each) => item(each)) })).resolves.toBeDefined()
})
