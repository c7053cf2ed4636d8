import type { System } from './format.ts'

/**
 * Values of answers that are read, by the list: all that begin so with a `*` at the end, and none that begin so with a `!`. Among
 * beginnings, the longest decides.
 */
export const READ_VALUES: Readonly<Partial<Record<System, string>>> = {
  testrail: `
    suites: id name description
    case_types: name id
    priorities: name id
    templates: name id
    statuses: label id name
    users: id name email
    sections: id name description suite_id display_order parent_id
    cases: id title template_id type_id priority_id milestone_id refs estimate created_by created_on updated_by updated_on assigned_to_id labels.title section_id display_order suite_id is_deleted custom_*
    shared_steps: id title custom_steps_separated.content custom_steps_separated.expected custom_steps_separated.additional_info custom_steps_separated.refs custom_steps_separated.shared_step_id
    milestones: id name description parent_id start_on due_on started_on is_completed milestones@
    plans: id name
    plan: name milestone_id entries.runs.name entries.runs.description entries.runs.config entries.runs.milestone_id entries.runs.created_on entries.runs.completed_on entries.runs.created_by entries.runs.refs entries.runs.id created_on completed_on
    runs: name description milestone_id config created_on completed_on created_by refs id
    tests: case_id id
    results: status_id comment version defects created_by created_on test_id elapsed
    case_fields: type_id system_name configs.options.items
  `,
  qase: `
    system_fields: options.slug slug options.id title options.title
    custom_fields: title id value
    authors: id name email author_id
    suites: id title description preconditions position parent_id
    shared_steps: hash title steps.action steps.expected_result steps.data steps.steps@
    cases: id title description preconditions postconditions severity priority type layer behavior automation status suite_id links.title links.url external_issues.issues.id external_issues.issues.link steps.shared_step_hash steps.position steps.action steps.expected_result steps.data tags.title created_at updated_at position is_flaky milestone_id member_id is_muted steps_type params.* steps.steps@
    milestones: id title description due_date status
    plans: id title
    configurations: configurations.title configurations.id
    runs: title description start_time end_time environment.title cases configurations id milestone.title plan_id user_id
    results: run_id case_id comment stacktrace status end_time time_spent_ms author_id
  `,
  xray: `
    tests: testType.name folder.path steps.action steps.data steps.result steps.customFields.value steps.callTestIssueId gherkin unstructured preconditions.results.definition jira.priority.name jira.status.name jira.components.name jira.fixVersions.name jira.assignee.displayName issueId testType.kind preconditions.results.jira.key jira.* !jira.priority.* !jira.status.* !jira.components.* !jira.fixVersions.* !jira.assignee.*
    preconditions: definition jira.key
    test_sets: jira.key jira.summary issueId
    test_plans: jira.key jira.summary issueId
    test_executions: testEnvironments jira.key jira.summary jira.description jira.created jira.fixVersions.name issueId
    test_runs: status.name comment test.jira.key executedById finishedOn defects startedOn test.issueId
    tests_of_test_sets: issueId
    tests_of_test_plans: issueId
  `,
  'zephyr-scale': `
    folders: id name index parentId
    priorities: name id
    statuses: name id
    testcases: key name createdOn objective precondition estimatedTime labels owner.accountId links.issues.target links.webLinks.description links.webLinks.url priority.id status.id folder.id links.issues.issueId customFields.* testScript.self
    teststeps: inline.description inline.testData inline.expectedResult testCase.testCaseKey inline.customFields.*
    testscripts: text type
    environments: name id
    testplans: key name
    testcycles: key name description plannedStartDate plannedEndDate id
    testexecutions: actualEndDate executedById comment links.issues.target testCase.self environment.id testExecutionStatus.id executionTime testCycle.id links.issues.issueId
  `,
  'zephyr-squad': `
    versions: name id
    issues: key fields.summary fields.description fields.priority.name fields.labels fields.status.name fields.components.name fields.fixVersions.name fields.issuelinks.outwardIssue.key fields.issuelinks.inwardIssue.key fields.assignee.emailAddress fields.creator.displayName fields.creator.emailAddress fields.created fields.updated id fields.assignee.displayName
    teststeps: step data result orderId
    cycles: name description environment build startDate endDate id creationDate
    executions: issueId issueKey status.name comment executedOn executedByAccountId executedBy defects.key
  `,
  testlink: `
    suites: id name details node_order parent_id
    cases: name external_id summary preconditions importance status estimated_exec_duration author_id updater_id creation_ts modification_ts steps.actions steps.expected_results keywords.keyword id execution_type node_order version tc_external_id
    custom_fields: id value
    plans: id name
    builds: name notes creation_ts id
    platforms: name id
    executions: build_id tester_id execution_ts status platform_id notes bugs.bug_id execution_duration testplan_id bugs.id
    project: prefix
    plan_cases: tcase_id
  `,
  kiwi: `
    users: username first_name last_name email
    components: name case cases
    plans: id name text parent
    cases: id summary text notes script arguments requirement extra_link case_status__name category__name priority__value author__username default_tester__username reviewer__username create_date expected_duration is_automated testing_duration category
    tags: name case
    properties: name value case
    runs: summary notes plan__name build__name build__version__value manager__username start_date stop_date id planned_start
    executions: case status__name tested_by__username stop_date id actual_duration start_date
    execution_links: name url execution is_defect
    execution_properties: name value execution
    execution_comments: comment
    plan_cases: id sortkey
    categories: id name
    comments: comment
  `,
  testmo: `
    users: id name email
    fields: name values.name system_name values.id column_name key
    states: name id
    folders: id name docs display_order parent_id
    cases: id name issues_name tags tags_name created_at updated_at folder_id template_id_name state_id estimate created_by updated_by custom_* created_by_name updated_by_name custom_steps.display_order
    milestones: id name note parent_id start_date due_date is_completed started_at
    runs: name note config_id_name milestone_id created_at closed_at id created_by created_by_name
    results: case_id status_id_name note issues_name created_at elapsed created_by deleted_at status_id created_by_name
  `,
  azure: `
    plans: name id
    suites: id name parentSuite.id
    cases: id fields.System.Title fields.System.State fields.System.Reason fields.System.AreaPath fields.System.IterationPath fields.System.Tags fields.System.Description fields.System.AssignedTo.displayName fields.System.AssignedTo.uniqueName fields.System.CreatedBy.uniqueName fields.System.CreatedDate fields.System.ChangedBy.displayName fields.System.ChangedBy.uniqueName fields.System.ChangedDate fields.Microsoft.VSTS.Common.Priority fields.Microsoft.VSTS.Common.Severity fields.Microsoft.VSTS.TCM.AutomationStatus fields.Microsoft.VSTS.TCM.AutomatedTestName relations.url relations.attributes.comment fields.Microsoft.VSTS.TCM.Steps fields.Microsoft.VSTS.TCM.LocalDataSource relations.rel fields.* !fields.System.* !fields.Microsoft.* !fields.WEF* fields.System.CreatedBy.displayName
    shared_items: id fields.System.Title fields.Microsoft.VSTS.TCM.Steps fields.System.WorkItemType fields.Microsoft.VSTS.TCM.Parameters
    runs: name owner.uniqueName build.name startedDate completedDate comment id createdDate isAutomated plan.id plan.name owner.displayName
    results: testCase.id outcome comment errorMessage stackTrace completedDate runBy.uniqueName configuration.id configuration.name associatedBugs.id durationInMs startedDate runBy.displayName
    suite_cases: id order
  `,
  practitest: `
    users: id attributes.display-name attributes.email
    custom_fields: attributes.name id
    tests: attributes.display-id attributes.name attributes.description attributes.preconditions attributes.status attributes.author-id attributes.assigned-to-id attributes.version attributes.priority attributes.test-type attributes.tags attributes.created-at attributes.updated-at attributes.scenario id attributes.assigned-to-type attributes.duration-estimate attributes.custom-fields.*
    steps: attributes.test-to-call-id attributes.name attributes.description attributes.expected-results attributes.test-id attributes.position
    milestones: id attributes.name attributes.description attributes.start-date attributes.end-date attributes.milestone-status
    sets: attributes.name attributes.description attributes.version attributes.milestone-id attributes.created-at id
    instances: attributes.test-id id
    runs: attributes.status attributes.tester-id attributes.test-id attributes.automated-execution-output attributes.version attributes.created-at attributes.instance-id attributes.run-duration
  `,
  qtest: `
    fields: label allowed_values.label id allowed_values.value
    modules: id name description order parent_id children@
    users: id username email first_name last_name
    cases: pid name description precondition tags creator_id created_date last_modified_date automation_content properties.field_id properties.field_name properties.field_value properties.field_value_name test_steps.description test_steps.expected id order parent_id test_steps.called_test_case_id test_steps.order
    releases: id name description start_date end_date
    test_cycles: name description id test_cycles@ test_suites@
    test_suites: name description id
    test_runs: parent_id parent_type created test_case.id id created_date testCaseId test_case_id
    test_logs: status.name note exe_start_date exe_end_date user_id defects.web_url status defects.pid defects.external_defect_id
  `,
}
