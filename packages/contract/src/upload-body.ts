import { Type } from 'typebox'

import { declaredAttachments, MAX_DECLARED_ATTACHMENTS, ReportFile } from './declared-attachments.ts'
import { ResultItem } from './results.ts'
import { Id, OneOf, TimestampInput } from './schemas.ts'
import type { Static } from './static.ts'
import { uploadedLinks, UploadedSuiteError, UploadedTest } from './uploaded-tests.ts'

export const UPLOAD_FORMATS = ['json', 'junit', 'tests'] as const

/** The maximum number of tests in a report. One of 10 MB rarely has 100,000. */
export const MAX_REPORT_TESTS = 250_000

/** Accepts an id of any length: the name of a test can be an automation key, and must not fail the whole upload. */
export const UploadItem = Type.Object({
  ...ResultItem.properties,
  test_case_id: Type.String({
    format: 'text',
    description: 'Test case id, such as `WEB-12`, or automation key; the test case must be in the run.',
  }),
  attachments: declaredAttachments,
  links: uploadedLinks,
})
export type UploadItem = Static<typeof UploadItem>

const finished_at = Type.Optional(
  TimestampInput(
    'When the suite finished, for a late upload. It is stored as `tested_at`. Newer results of the run are kept and listed as errors with the code `newer_result`. A time in the future is replaced by the current time. Without `finished_at`, all results are overwritten.',
  ),
)

const create_test_cases = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Create a test case for each test that matches none, and add it to the run. Requires a CI token with the grant `cases:create`; otherwise the response is 403 `grant_required`.',
  }),
)
const add_to_run = Type.Optional(
  Type.Boolean({
    description:
      'Add test cases that match but are not in the run. The default is `adds_test_cases` of the run. Applies to tests and reports.',
  }),
)

const SourceText = (description: string) => Type.Optional(Type.String({ format: 'text', description }))

/** What in CI ran the tests. Reports of different sources stand beside each other, and the worst counts. */
const sourceFields = {
  job: SourceText(
    'Name of the CI job, the same in all builds. Truncated to 255 characters, as are the next five fields.',
  ),
  instance: SourceText(
    'What tells the executions of the job within one build attempt apart, such as the index of a parallel job. The default is `label`.',
  ),
  shard: SourceText('Name of the shard that ran the tests.'),
  variant: SourceText(
    'Name that tells executions of the same tests apart in all builds, such as `windows, node 18`. It is put before the variant of each test, so that each has a history of its own.',
  ),
  report: SourceText(
    'Path of the report file, relative to the repository, for `junit_xml` and XML bodies: different files are different sources, and the directory is the `module`.',
  ),
  label: SourceText('Where the tests ran, for people: `linux x64, Node 20`.'),
  job_url: SourceText('Page of the CI job, which the run links to. Ignored unless it begins with http: or https:.'),
  build_attempt: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "CI's number of the rerun of the job. What a later build attempt of a job reports are further attempts at its tests; the newest decides.",
    }),
  ),
  rerun: Type.Optional(
    Type.Boolean({
      description:
        'Whether these are further attempts at tests that this build ran already, in whatever job: a pass makes the test passed and flaky.',
    }),
  ),
}

export const EQUAL_NAMES = ['tests', 'attempts'] as const

/** How a report is read. Also in the query, for an XML body. */
const reportFields = {
  root: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 4096,
      description:
        'Directory of the checkout in which the tests ran, such as `/home/ci/shop`. It is removed from files, classes, suites and names, so that a test is the same on all machines. Without it, the longest directory that all absolute paths of a report share is removed.',
    }),
  ),
  module: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 1000,
      description:
        'Directory of the package whose tests ran, relative to the repository, such as `packages/cart`; `.` for the root. Tests of the same names in different modules are different tests. With `reports`, the module of each report follows from its path.',
    }),
  ),
  equal_names: Type.Optional(
    OneOf(EQUAL_NAMES, {
      description:
        'What several elements with the same class name and name in one `<testsuite>` are. `tests`: several tests, unless the report says that one is another attempt. `attempts`: attempts at one test, for tools that write retries like that. Without it, as the project says (`run-settings`).',
    }),
  ),
}

/** A JUnit report with its path. */
export const UploadedReport = Type.Object({
  path: Type.String({
    format: 'text',
    minLength: 1,
    maxLength: 4096,
    description: 'Path of the file, relative to the repository, such as `orders/target/surefire-reports/TEST-a.xml`.',
  }),
  junit_xml: Type.String({ description: 'JUnit XML document.' }),
})
export type UploadedReport = Static<typeof UploadedReport>

/** The maximum number of reports in one upload. */
export const MAX_REPORTS = 10_000

export const UploadBody = Type.Object(
  {
    run_id: Id('Run to upload to.'),
    format: Type.Optional(
      OneOf(UPLOAD_FORMATS, {
        description:
          'Format of the upload: results by test case (`json`), a report (`junit`), or the tests that ran (`tests`). The default is that of the only one of `results`, `junit_xml` or `reports`, and `tests` that is set, otherwise `json`.',
      }),
    ),
    results: Type.Optional(Type.Array(UploadItem, { description: 'Results; required unless `junit_xml` is set.' })),
    junit_xml: Type.Optional(
      Type.String({ description: 'JUnit XML document; required if the format is `junit` and `reports` is not set.' }),
    ),
    reports: Type.Optional(
      Type.Array(UploadedReport, {
        maxItems: MAX_REPORTS,
        description:
          'Several JUnit reports, which are stored together. A report that cannot be read is listed as an error; the others are stored.',
      }),
    ),
    files: Type.Optional(
      Type.Array(ReportFile, {
        maxItems: MAX_DECLARED_ATTACHMENTS,
        description:
          'The files that the reports name, with the format `junit`. What a report names and this does not list is refused with the code `not_declared`.',
      }),
    ),
    tests: Type.Optional(
      Type.Array(UploadedTest, { description: 'The tests that ran; required if the format is `tests`.' }),
    ),
    suite_errors: Type.Optional(
      Type.Array(UploadedSuiteError, {
        maxItems: 10_000,
        description:
          'Errors outside of tests, with the format `tests`. They replace those of an earlier upload of the same source.',
      }),
    ),
    ...sourceFields,
    ...reportFields,
    create_test_cases,
    add_to_run,
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Validate the upload without storing anything. The response is that of a real upload.',
      }),
    ),
    finished_at,
  },
  {
    examples: [
      {
        run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
        results: [{ test_case_id: 'WEB-12', status: 'passed', elapsed: 3 }],
      },
      {
        run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
        finished_at: '2026-11-21T09:30:00.000Z',
        results: [{ test_case_id: 'WEB-12', status: 'failed', note: 'AssertionError: expected 200, got 500' }],
      },
      {
        run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
        format: 'tests',
        tests: [
          {
            suite: 'src/checkout.spec.ts',
            name: 'Checkout > pays by card',
            variant: 'chromium',
            attempts: [
              { status: 'failed', elapsed_ms: 402, message: 'expected 200, got 500' },
              { status: 'passed', elapsed_ms: 410 },
            ],
          },
        ],
      },
    ],
  },
)
export type UploadBody = Static<typeof UploadBody>

/** The parameters of an upload with an XML body. With a JSON body, they are defaults for the fields of the body. */
export const UploadQuery = Type.Object({
  run_id: Type.Optional(Id('Run to upload to. Required with an XML body; ignored if the JSON body sets `run_id`.')),
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'Validate the upload without storing anything, even if the JSON body sets `dry_run` to `false`.',
    }),
  ),
  create_test_cases: Type.Optional(
    Type.Boolean({ description: 'As in a JSON body, even if the JSON body sets it to `false`.' }),
  ),
  add_to_run: Type.Optional(Type.Boolean({ description: 'As in a JSON body; ignored if the body sets it.' })),
  ...sourceFields,
  finished_at: Type.Optional(
    TimestampInput('As in a JSON body; ignored if the body sets it. Encode the `+` of an offset as `%2B`.'),
  ),
  ...reportFields,
})
export type UploadQuery = Static<typeof UploadQuery>
