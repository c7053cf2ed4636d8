import { expect, it } from 'vitest'

import { listAnswerEnds } from './answer-ends.test.helper.ts'
import * as samples from './answer-samples.test.helper.ts'
import { item, readAnswers } from './formats/read-answers.test.helper.ts'
import * as more from './more-answer-samples.test.helper.ts'

const SAMPLES = {
  testrail: samples.testrail,
  qase: samples.qase,
  xray: samples.xray,
  'zephyr-scale': samples.zephyrScale,
  'zephyr-squad': samples.zephyrSquad,
  testlink: samples.testlink,
  kiwi: more.kiwi,
  testmo: more.testmo,
  azure: more.azure,
  practitest: more.practitest,
  qtest: more.qtest,
} as const

/** Values that have no place here, and are counted. */
const COUNTED: Readonly<Record<keyof typeof SAMPLES, string>> = {
  testrail: `
    cases: estimate_forecast status_id case_assignedto_id case_status_id comments.comment
    milestones: refs
    plan: description refs start_on due_on entries.name entries.description entries.refs entries.start_on entries.due_on entries.runs.assignedto_id entries.runs.start_on entries.runs.due_on
    runs: assignedto_id dataset_id start_on due_on
    tests: assignedto_id labels.title case_comments
    results: assignedto_id custom_browser
  `,
  qase: `
    shared_steps: steps.attachments.filename steps.attachments.url steps.attachments.size steps.attachments.mime
    cases: external_issues.type steps.shared_step_nested_hash parameters.type parameters.item.title parameters.item.values deleted
    plans: description
    environments: title description host
    runs: custom_fields.value tags.title
    results: params.user param_groups defect defects.title
  `,
  xray: `
    tests: steps.customFields.name scenarioType
    test_sets: jira.description
    test_plans: jira.description
    test_runs: assigneeId iterations.total
  `,
  'zephyr-scale': `
    testcases: component.id
    teststeps: testCase inline testCase.parameters.name testCase.parameters.type testCase.parameters.value
    testplans: objective status.id folder.id owner.accountId labels customFields.Team links.webLinks.url links.webLinks.description links.issues.issueId links.testCycles.testCycleId
    testcycles: jiraProjectVersion.id status.id folder.id owner.accountId customFields.Team links.webLinks.url links.webLinks.description links.issues.issueId links.issues.target links.testPlans.testPlanId links.testPlans.target
    testexecutions: jiraProjectVersion.id assignedToId automated customFields.Device
  `,
  'zephyr-squad': `
    issues: fields.issuelinks.type.name
    teststeps: attachments.fileName customFieldValues.hint.value
    cycles: sprintId
    folders: name description
    executions: assignedTo assignedToAccountId customFieldValues.device.value plannedExecutionTime actualExecutionTime folderName
  `,
  testlink: `
    suites: keywords.keyword
    cases: version keywords.notes
    plans: notes
    builds: release_date closed_on_date commit_id tag branch release_candidate
    platforms: notes
    plan_cases: id
    executions: tcversion_number
  `,
  kiwi: `
    categories: description
    plans: extra_link product_version__value type__name
    cases: setup_duration
    runs: default_tester__username planned_stop
    executions: assignee__username
  `,
  testmo: `
    cases: forecast automation_links.name
    milestones: automation_tags issues links.name links.url
    runs: tags_name issues links.name links.url untested_count
    results: assignee_id custom_browser steps.status_id steps.note
  `,
  azure: `
    plans: description areaPath iteration state startDate endDate owner.displayName owner.uniqueName
    suites: parentSuite requirementId defaultConfigurations.name defaultTesters.displayName defaultTesters.uniqueName defaultTesters.url
    cases: commentVersionRef.text fields.System.History fields.System.BoardColumn fields.System.BoardLane fields.System.Parent fields.Microsoft.VSTS.Build.IntegrationBuild fields.Microsoft.VSTS.TCM.AutomatedTestStorage fields.Microsoft.VSTS.TCM.AutomatedTestType relations.attributes.name
    shared_items: fields.System.State fields.System.Description fields.System.Tags fields.System.CreatedBy.displayName fields.System.CreatedBy.uniqueName
    runs: iteration buildConfiguration.number buildConfiguration.branchName buildConfiguration.flavor buildConfiguration.platform release.name release.environmentName dueDate errorMessage controller tags.name customFields.fieldName customFields.value testEnvironment.environmentName testSettings.name
    results: testCaseRevision failureType resolutionState computerName customFields.fieldName customFields.value iterationDetails.outcome iterationDetails.comment
  `,
  practitest: `
    tests: attributes.planned-execution attributes.automated-fields.script-name attributes.folder-id
    steps: attributes.params.user
    milestones: attributes.author-id attributes.assigned-to-id attributes.assigned-to-type attributes.custom-fields.---f-8 attributes.tags
    sets: attributes.priority attributes.author-id attributes.assigned-to-id attributes.assigned-to-type attributes.planned-execution attributes.custom-fields.---f-8282 attributes.folder-id attributes.tags attributes.planned-execution-date
    instances: attributes.priority attributes.assigned-to-id attributes.assigned-to-type attributes.planned-execution attributes.version attributes.bdd-parameters.user attributes.custom-fields.---f-8282
  `,
  qtest: `
    cases: version assigned_to test_steps.attachments.id test_steps.attachments.name test_steps.parameter_values
    releases: note properties.field_name properties.field_value
    test_cycles: target_release_id target_build_id properties.field_name properties.field_value
    test_suites: planned_start_date planned_end_date target_release_id target_build_id properties.field_name properties.field_value
    test_runs: test_case_version automation properties.field_name properties.field_value
    test_logs: submitted_by build_number build_url planned_exe_time defects.summary properties.field_name properties.field_value
  `,
}

/** Values that are read where others are missing, or that change nothing in these answers. */
const OTHERWISE: Readonly<Record<keyof typeof SAMPLES, string>> = {
  testrail: `
    statuses: name
    sections: parent_id
    cases: suite_id is_deleted
    milestones: started_on is_completed milestones.parent_id
    plan: created_on completed_on
  `,
  qase: `
    authors: author_id
    suites: parent_id
    cases: steps_type
  `,
  xray: `
    tests: testType.kind preconditions.results.jira.key
    preconditions: jira.key
    test_runs: test.issueId
  `,
  'zephyr-scale': `
    folders: parentId
    testcases: links.issues.issueId
    testscripts: type
    testexecutions: links.issues.issueId
  `,
  'zephyr-squad': `
    issues: fields.assignee.displayName
    cycles: creationDate
  `,
  testlink: `
    suites: parent_id
    cases: tc_external_id
    plan_cases: tcase_id
    executions: testplan_id
  `,
  kiwi: `
    categories: id name
    plans: parent
    cases: category testing_duration
    runs: planned_start
    executions: start_date
  `,
  testmo: `
    folders: parent_id
    cases: custom_steps.display_order created_by_name updated_by_name
    milestones: is_completed started_at
    runs: created_by_name
    results: status_id created_by_name
  `,
  azure: `
    plans: id
    cases: fields.System.CreatedBy.displayName
    shared_items: fields.System.WorkItemType
    runs: isAutomated owner.displayName plan.id plan.name createdDate
    results: startedDate runBy.displayName
  `,
  practitest: `
    steps: attributes.position
  `,
  qtest: `
    modules: parent_id children.pid
    cases: test_steps.order
    test_runs: created_date testCaseId test_case_id
    test_logs: defects.pid defects.external_defect_id
  `,
}

const toPaths = (lists: string) =>
  lists
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [list = '', ...names] = line.trim().split(/:? /)
      return names.map((name) => `${list}.${name}`)
    })

it.each(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])(
  'every value of the answers of %s has an end',
  async (system) => {
    const { kept, used, counted, none } = await listAnswerEnds(system, SAMPLES[system])
    expect(kept.length + used.length).toBeGreaterThan(35)
    expect(counted).toEqual(toPaths(COUNTED[system]))
    expect(none).toEqual(toPaths(OTHERWISE[system]))
  },
)

it('values that no documentation names are counted by their names, up to a limit', async () => {
  const { counted } = await readAnswers('testrail', {
    cases: [
      item({ id: 7, title: 'Pays', odd: { inner: 'x', empty: '', no: false } }),
      item({ id: 8, odd: [{ inner: 'y' }, 3] }),
    ],
    labels: [item(Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`n${index}`, 'x'])))],
  })
  expect(counted[0]).toEqual({
    code: 'not_imported:values_of_cases',
    count: 3,
    examples: [
      { key: '8', place: 'odd' },
      { key: '7', place: 'odd.inner' },
    ],
  })
  expect(counted.slice(1).reduce((sum, { count }) => sum + count, 0)).toBe(6000)
})
