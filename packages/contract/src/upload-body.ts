import { Type, type Static } from 'typebox'

import { FILE_KINDS } from './attachment-schemas.ts'
import { ReportedFieldValues } from './field-values.ts'
import { LINK_KINDS, MAX_LINKS } from './link-schemas.ts'
import { ResultItem } from './results.ts'
import { Id, Nullable, OneOf, TimestampInput } from './schemas.ts'
import { AttemptStatus } from './test-fields.ts'

export const UPLOAD_FORMATS = ['json', 'junit', 'tests'] as const

/** The maximum number of tests in a report. One of 10 MB rarely has 100,000. */
export const MAX_REPORT_TESTS = 250_000

/** The digest of a content, as {@link DeclaredAttachment} names it. */
export const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const contentFields = {
  sha256: Sha256('SHA-256 of the content: 64 hexadecimal digits.'),
  byte_count: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Size of the content in bytes.',
  }),
}

/** Most files of an attempt, or of an item of format `json`, that are kept. Further ones are refused. */
export const MAX_ATTEMPT_ATTACHMENTS = 20

/** Most files that one upload declares. Further ones are refused. */
export const MAX_DECLARED_ATTACHMENTS = 10_000

/** A file whose content follows: the receipt says whether the project has it already. */
export const DeclaredAttachment = Type.Object({
  name: Type.String({
    format: 'text',
    'x-clean': true,
    'x-trim': true,
    description: 'Name of the file. Truncated to 255 characters.',
  }),
  ...contentFields,
  kind: Type.Optional(
    OneOf(FILE_KINDS, {
      description:
        'What the client takes it for. Only `trace` makes a difference: a ZIP file is shown as a trace. Otherwise, the content decides.',
    }),
  ),
})
export type DeclaredAttachment = Static<typeof DeclaredAttachment>

const attachments = Type.Optional(
  Type.Array(DeclaredAttachment, {
    maxItems: 1000,
    description: `Files, whose contents are sent afterwards: \`PUT /v1/runs/{run_id}/files/{sha256}\` for each that the receipt lists as missing. Up to ${MAX_ATTEMPT_ATTACHMENTS}, and ${MAX_DECLARED_ATTACHMENTS.toLocaleString('en')} in one upload; further ones are refused, and the results are stored nevertheless.`,
  }),
)

/** A file that a JUnit report names. */
export const ReportFile = Type.Object({
  path: Type.String({
    format: 'text',
    minLength: 1,
    maxLength: 4096,
    description: 'Path or name as the report writes it.',
  }),
  ...contentFields,
  report: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 4096,
      description: 'Path of the report that names it, as in `reports`; without it, all reports of the upload.',
    }),
  ),
})
export type ReportFile = Static<typeof ReportFile>

/** Steps of an attempt that are kept. */
export const MAX_ATTEMPT_STEPS = 200

/** A step that a framework reports inside of an attempt. */
export const UploadedStep = Type.Object({
  title: Type.String({ format: 'text', description: 'Title. Truncated to 1,000 characters.' }),
  status: Nullable(
    Type.Unsafe<AttemptStatus>({
      ...AttemptStatus,
      description: 'Status of the step; null if it is unknown. It never changes the status of the attempt.',
    }),
  ),
  depth: Type.Integer({
    minimum: 0,
    maximum: 9,
    description: 'Number of steps around it: a step belongs to the nearest one before it with a smaller depth.',
  }),
  elapsed_ms: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e12, description: 'Duration in milliseconds; unknown without it.' }),
  ),
  message: Type.Optional(
    Type.String({ format: 'text', description: 'Error message of the step. Truncated to 10,000 characters.' }),
  ),
})
export type UploadedStep = Static<typeof UploadedStep>

/** An address that a test names. One that cannot be stored is refused, and its result is stored nevertheless. */
export const UploadedLink = Type.Object({
  url: Type.String({ format: 'text', description: 'An address that begins with `http://` or `https://`.' }),
  kind: Type.Optional(OneOf(LINK_KINDS, { description: 'What the address is of; by default `defect`.' })),
})
export type UploadedLink = Static<typeof UploadedLink>

const links = Type.Optional(
  Type.Array(UploadedLink, {
    maxItems: 1000,
    description: `Addresses, such as that of a known defect, which are added to the result. A result keeps up to ${MAX_LINKS}. A later upload without them removes none.`,
  }),
)

/** Accepts an id of any length: the name of a test can be an automation key, and must not fail the whole upload. */
export const UploadItem = Type.Object({
  ...ResultItem.properties,
  test_case_id: Type.String({
    format: 'text',
    description: 'Test case id, such as `WEB-12`, or automation key; the test case must be in the run.',
  }),
  attachments,
  links,
})
export type UploadItem = Static<typeof UploadItem>

/** An attempt of an uploaded test. Longer texts are truncated. */
export const UploadedAttempt = Type.Object({
  status: AttemptStatus,
  elapsed_ms: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e12, description: 'Duration in milliseconds; unknown without it.' }),
  ),
  message: Type.Optional(Type.String({ format: 'text', description: 'Error message, or the reason for skipping.' })),
  details: Type.Optional(Type.String({ format: 'text', description: 'Stack trace, difference or output.' })),
  started_at: Type.Optional(TimestampInput('When the attempt started.')),
  attachments,
  steps: Type.Optional(
    Type.Array(UploadedStep, {
      maxItems: 10_000,
      description: `Steps in the order in which they began. Of more than ${MAX_ATTEMPT_STEPS}, or 64 KB, steps that passed are left out first, and the way to an error last.`,
    }),
  ),
})
export type UploadedAttempt = Static<typeof UploadedAttempt>

/** Maximum number of attempts of a test in one upload. */
export const MAX_ATTEMPTS = 100

/** A test that ran, with all its attempts. The server decides which test case it belongs to, and its outcome. */
export const UploadedTest = Type.Object({
  name: Type.String({
    format: 'text',
    minLength: 1,
    description: 'Name: the titles of its blocks and its own, joined by ` > `. Truncated to 2,000 characters.',
  }),
  suite: Type.Optional(Type.String({ format: 'text', description: 'File or class. Truncated to 2,000 characters.' })),
  variant: Type.Optional(
    Type.String({
      format: 'text',
      description: 'What tells tests of the same suite and name apart, such as a browser. Truncated to 255 characters.',
    }),
  ),
  file: Type.Optional(Type.String({ format: 'text', description: 'File. Truncated to 1,000 characters.' })),
  test_case_ids: Type.Optional(
    Type.Array(Type.String({ format: 'text' }), {
      maxItems: 1000,
      description: 'Test case ids that the test names in an annotation or a property. Only the first 200 are used.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ format: 'text' }), { maxItems: 1000, description: 'Tags, which may contain ids.' }),
  ),
  links,
  fields: Type.Optional(
    ReportedFieldValues(
      'Values of custom fields of results by their keys, also as text, with labels or keys of options and several options separated by `;`. What is no value is listed in `ignored_fields` of the receipt.',
    ),
  ),
  attempts: Type.Array(UploadedAttempt, {
    minItems: 1,
    maxItems: MAX_ATTEMPTS,
    description: 'All attempts in the order in which they ran.',
  }),
  only_if_reported: Type.Optional(
    Type.Boolean({
      description:
        'Whether the test counts only if the run has an outcome of it: for tests that contain others, and are otherwise reported only when they fail by themselves.',
    }),
  ),
})
export type UploadedTest = Static<typeof UploadedTest>

/** An error outside of tests. */
export const UploadedSuiteError = Type.Object({
  where: Type.String({ format: 'text', description: 'File, suite or hook.' }),
  message: Type.String({ format: 'text', description: 'Error message.' }),
})
export type UploadedSuiteError = Static<typeof UploadedSuiteError>

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
