import type { System } from './format.ts'
import { hasPath, parsePaths, type ValuePaths } from './value-paths.ts'

interface Meaningless {
  readonly reason: string
  /** Names of values, wherever they are, with all that is in them. */
  readonly names?: string
  readonly paths?: Readonly<Partial<Record<System, string>>>
}

/** Values of answers that mean nothing to people, so that nobody has to hear that they are not imported. */
const MEANINGLESS: readonly Meaningless[] = [
  {
    reason: 'addresses of the API, of pictures and pages of the tool',
    names:
      'self href rel _links web_url webAccessUrl imageUrl iconUrl avatarUrls avatar descriptor releaseUri releaseEnvironmentUri',
    paths: {
      testrail: `suites: url
        plans: url
        plan: url entries.runs.url
        runs: url
        milestones: url`,
      azure: `cases: url fields.System.AssignedTo.url fields.System.CreatedBy.url fields.System.ChangedBy.url fields.Microsoft.VSTS.Common.ActivatedBy fields.Microsoft.VSTS.Common.ClosedBy
        shared_items: url fields.System.CreatedBy.url
        plans: owner.url
        runs: url owner.url plan.url build.url
        results: url testCase.url area.url owner.url runBy.url associatedBugs.url`,
    },
  },
  {
    reason: 'ids of the tool itself, of what is read or of what lists have by themselves',
    names:
      'project_id projectId projectKey project-id project repo_id projectName rev revision etag hash result_hash internal_id node_type_id node_table api_key tenantKey uuid',
    paths: {
      testrail: `case_fields: id configs.id template_ids
        cases: labels.id comments.id
        suites: project_id
        shared_steps: case_ids
        plan: id entries.id entries.suite_id entries.runs.suite_id entries.runs.plan_id entries.runs.entry_id entries.runs.entry_index entries.runs.config_ids
        runs: suite_id plan_id config_ids
        tests: run_id labels.id
        results: id`,
      qase: `custom_fields: projects_codes
        authors: entity_id
        cases: author_id parameters.shared_id custom_fields.id
        shared_steps: cases
        environments: id
        runs: run_id custom_fields.id tags.internal_id
        results: defects.id`,
      xray: `tests: steps.id steps.customFields.id preconditions.results.issueId jira.priority.id jira.status.id jira.components.id jira.fixVersions.id jira.assignee.accountId
        preconditions: issueId
        test_executions: jira.fixVersions.id
        test_runs: id steps.id`,
      'zephyr-scale': `testcases: id links.issues.id links.webLinks.id
        teststeps: inline.reflectRef
        testscripts: id
        testplans: id
        testcycles: links.issues.id links.webLinks.id links.testPlans.id
        testexecutions: id key testCase.id links.issues.id`,
      'zephyr-squad': `issues: expand fields.priority.id fields.status.id fields.components.id fields.fixVersions.id fields.issuelinks.id fields.issuelinks.type.id fields.issuelinks.outwardIssue.id fields.issuelinks.inwardIssue.id fields.assignee.accountId fields.creator.accountId
        teststeps: id issueId createdByAccountId
        cycles: versionId createdByAccountId
        folders: id cycleId versionId
        executions: id versionId cycleId folderId status.id status.type createdByAccountId defects.id`,
      testlink: `cases: tcversion_id testsuite_id parent_id keywords.keyword_id steps.id
        plans: testproject_id
        builds: testplan_id
        plan_cases: id
        executions: id tcversion_id bugs.tcstep_id bugs.execution_id`,
      kiwi: `users: id
        categories: product
        components: id
        plans: product product__name author type product_version
        cases: case_status priority author default_tester reviewer
        tags: id
        properties: id
        comments: *
        runs: plan plan__product build build__version build__version__product manager default_tester
        executions: run build status assignee tested_by case_text_version
        execution_links: id
        execution_properties: id
        execution_comments: id object_pk content_type site user ip_address`,
      testmo: `users: role_id type
        project_users: id name
        fields: id type
        cases: key template_id status_id attachments.id automation_links.id
        milestones: root_id type_id
        runs: config_id state_id
        results: id run_id test_id issues
        sessions: *
        automation_runs: *`,
      azure: `cases: fields.System.Id fields.System.Rev fields.System.AssignedTo.id fields.System.CreatedBy.id fields.System.ChangedBy.id fields.Microsoft.VSTS.TCM.AutomatedTestId relations.attributes.id commentVersionRef.commentId fields.System.TeamProject fields.System.WorkItemType
        shared_items: fields.System.CreatedBy.id
        plans: owner.id rootSuite buildId previousBuildId buildDefinition releaseEnvironmentDefinition
        suites: plan parentSuite.name defaultTesters.id defaultConfigurations.id
        runs: owner.id build.id buildConfiguration.id release.id pipelineReference
        results: id testCaseReferenceId testPoint testSuite testPlan testRun build area owner.id runBy.id automatedTestId afnStripId iterationDetails.id`,
      practitest: `users: type attributes.user-group-id
        custom_fields: type
        tests: type attributes.parent-ids attributes.cloned-from-id
        steps: id type
        milestones: type attributes.display-id
        sets: type attributes.display-id
        instances: type attributes.display-id attributes.set-id attributes.set-display-id attributes.test-display-id
        runs: id type attributes.set-id attributes.issues.id`,
      qtest: `modules: pid projects_shared_to
        cases: test_case_version_id version_id agent_ids test_steps.id test_steps.group
        releases: pid properties.field_id
        test_cycles: pid
        test_suites: pid parent_id parent_type
        test_runs: pid test_case_version_id latest_test_log configurationId properties.field_id
        test_logs: id status.id test_case_version_id defects.id properties.field_id`,
    },
  },
  {
    reason: 'how something is shown or can be edited',
    names:
      'color colour icon colorName color_dark color_medium color_bright is_default isDefault default default_value is_required is_active isActive active archived show_announcement is_read_only is_visible is_filterable',
    paths: {
      testrail: `case_fields: *
        statuses: is_system is_untested is_final
        priorities: short_name priority
        suites: is_master is_baseline
        users: role_id role is_admin email_notifications mfa_required sso_enabled assigned_projects group_ids
        sections: depth
        tests: sections_display_order cases_display_order`,
      qase: `system_fields: *
        custom_fields: *
        configurations: title
        authors: entity_type
        shared_steps: steps.position
        runs: public`,
      'zephyr-scale': `folders: folderType
        priorities: description index
        statuses: description index
        environments: description index
        testcases: links.issues.type links.webLinks.type
        testcycles: links.issues.type links.webLinks.type links.testPlans.type
        testexecutions: links.issues.type`,
      'zephyr-squad': `cycles: cycleIndex
        executions: status.description executionWorkflowStatus
        issues: fields.status.description fields.status.statusCategory fields.assignee.timeZone fields.assignee.accountType fields.creator.timeZone fields.creator.accountType`,
      xray: `tests: jira.status.description jira.status.statusCategory jira.assignee.timeZone jira.assignee.accountType jira.assignee.emailAddress preconditions.start preconditions.limit
        test_runs: status.description`,
      testlink: `cases: layout is_open steps.step_number steps.active
        plans: is_open is_public
        builds: is_open
        platforms: is_open enable_on_design enable_on_execution`,
      kiwi: `users: is_staff is_superuser
        plans: is_active children__count
        executions: status__icon status__color status__weight sortkey`,
      testmo: `folders: depth`,
      azure: `suites: suiteType inheritDefaultConfigurations hasChildren queryString
        plans: testOutcomeSettings
        cases: relations.attributes.isLocked relations.attributes.name`,
      practitest: `custom_fields: *
        users: attributes.first-name attributes.last-name attributes.is-active
        steps: attributes.kind`,
      qtest: `fields: *
        users: status ldap_username
        modules: recursive shared
        cases: shared
        releases: order
        test_cycles: order
        test_suites: order
        test_runs: order`,
    },
  },
  {
    reason: 'times and people of edits of something that has neither here',
    names:
      'authorizedDate revisedDate resourceCreatedDate resourceModifiedDate lastUpdatedBy lastUpdatedDate updatedBy updatedDate lastModified lastModifiedOn last_modifier_id modifiedBy lastPopulatedDate StateChangeDate',
    paths: {
      testrail: `suites: is_completed completed_on
        cases: labels.created_by labels.created_on
        shared_steps: created_by created_on updated_by updated_on
        milestones: is_started completed_on
        plans: created_by created_on completed_on is_completed
        plan: created_by entries.runs.updated_on
        runs: updated_on`,
      qase: `suites: created_at updated_at
        custom_fields: created_at updated_at
        shared_steps: created_at updated_at
        milestones: created_at updated_at
        plans: created_at updated_at
        cases: created updated`,
      xray: `test_sets: jira.created
        test_plans: jira.created`,
      'zephyr-squad': `teststeps: createdBy createdOn
        cycles: createdBy
        executions: createdBy creationDate`,
      testlink: `builds: author_id`,
      kiwi: `plans: create_date author__username
        cases: updated_at
        execution_links: created_on
        execution_comments: user_name user_email submit_date is_public is_removed`,
      testmo: `users: created_at
        cases: status_at
        milestones: created_at created_by updated_at updated_by
        runs: updated_at updated_by closed_by started_at
        results: updated_at updated_by deleted_by`,
      azure: `cases: fields.Microsoft.VSTS.Common.StateChangeDate fields.Microsoft.VSTS.Common.ActivatedDate fields.Microsoft.VSTS.Common.ClosedDate
        results: createdDate`,
      practitest: `steps: attributes.created-at attributes.updated-at
        milestones: attributes.created-at attributes.updated-at
        sets: attributes.updated-at
        instances: attributes.created-at attributes.updated-at
        runs: attributes.updated-at`,
      qtest: `modules: created_date last_modified_date
        releases: created_date last_modified_date
        test_cycles: created_date last_modified_date
        test_suites: created_date last_modified_date
        test_runs: last_modified_date creator_id`,
    },
  },
  {
    reason: 'follows from other values, or repeats them',
    names:
      'cases_count steps_count steps-count instances-count passed_count failed_count blocked_count untested_count retest_count totalExecutions totalExecuted include_all is_latest',
    paths: {
      testrail: `plans: description milestone_id assignedto_id refs start_on due_on
        plan: entries.runs.is_completed entries.runs.custom_status*
        runs: is_completed custom_status*
        tests: title status_id template_id type_id priority_id milestone_id refs estimate estimate_forecast custom_*`,
      qase: `shared_steps: action expected_result
        cases: isManual isToBeAutomated is_manual is_to_be_automated
        plans: average_time
        environments: slug
        runs: status status_text stats time_spent elapsed_time environment.slug environment.description environment.host milestone.description
        results: is_api_result`,
      'zephyr-scale': `testexecutions: estimatedTime
      `,
      xray: `tests: folder.name preconditions.total preconditions.results.preconditionType
        preconditions: preconditionType
        test_runs: testType`,
      'zephyr-squad': `versions: userReleaseDate
        executions: issueLabel issueSummary issueDescription component priority versionName cycleName defects.summary defects.status`,
      testlink: `cases: steps.execution_type
        executions: execution_type
        plan_cases: platform_name exec_status`,
      kiwi: `executions: build__name case__summary run__summary expected_duration`,
      testmo: `cases: has_automation has_automation_status issues
        milestones: is_started completed_at
        runs: is_started is_closed elapsed success_count failure_count completed_count total_count status* forecast* untested_count tags
        fields: values`,
      azure: `cases: fields.System.CommentCount fields.WEF* fields.Microsoft.VSTS.TCM.Parameters
        runs: state substate postProcessState phase totalTests incompleteTests notApplicableTests passedTests unanalyzedTests runStatistics
        results: testCase.name testCaseTitle state priority owner.displayName owner.uniqueName automatedTestName automatedTestStorage automatedTestType failingSince resetCount`,
      practitest: `tests: attributes.run-status attributes.last-run
        sets: attributes.run-status attributes.last-run attributes.testset-type
        instances: attributes.name attributes.run-status attributes.last-run attributes.tester-id
        runs: attributes.run-type`,
      qtest: `cases: test_steps.plain_value_text test_steps.called_test_case_name
        test_runs: name test_case.pid test_case.name
        test_logs: actual_exe_time test_step_logs`,
    },
  },
  {
    reason: 'what other objects say, such as versions and issues of Jira, whose names are read',
    paths: {
      xray: `tests: jira.components.description jira.fixVersions.*
        test_executions: jira.fixVersions.*`,
      'zephyr-squad': `versions: description released releaseDate
        issues: fields.components.description fields.fixVersions.* fields.issuelinks.type.inward fields.issuelinks.type.outward fields.issuelinks.outwardIssue.fields fields.issuelinks.inwardIssue.fields`,
    },
  },
  {
    reason: 'files and other things that are counted, or attached, by themselves',
    paths: {
      testrail: `cases: estimate_forecast
        results: attachment_ids custom_*`,
      qase: `cases: attachments steps.attachments
        results: attachments steps`,
      xray: `tests: steps.attachments
        test_runs: evidence steps iterations`,
      'zephyr-scale': `testcases: component`,
      'zephyr-squad': `issues: fields.attachment
        executions: stepDefects`,
      testmo: `cases: attachments forecast
        results: attachments`,
      azure: `cases: relations.attributes.resourceSize`,
      practitest: `tests: attributes.folder-id
        runs: attributes.custom-fields`,
      qtest: `cases: attachments
        test_logs: attachments`,
    },
  },
]

/** Lists of the project, which is chosen rather than imported, of files, and of ids. */
const MEANINGLESS_LISTS = /^(?:project|files|refused|case_ids|files_of|\w+_files)$/

const NAMES = new Set(MEANINGLESS.flatMap(({ names = '' }) => names.split(' ')))
const PATHS = new Map<string, ValuePaths>()

export function isMeaningless(system: System, path: string, name: string): boolean {
  const paths = PATHS.get(system) ?? parsePaths(MEANINGLESS.map((each) => each.paths?.[system] ?? '').join('\n'))
  PATHS.set(system, paths)
  return NAMES.has(name) || MEANINGLESS_LISTS.test(path) || hasPath(paths, path)
}
