import { type Requirement, testsIn } from './requirement.ts'

const folder = 'src/features/uploads'
const json = testsIn(`${folder}/upload-json.test.ts`, 'POST /v1/results with JSON')
const format = testsIn(`${folder}/upload-json.test.ts`, 'the format of an upload')
const dryRun = testsIn(`${folder}/upload-json.test.ts`, 'a dry run')
const xml = testsIn(`${folder}/upload-xml.test.ts`, 'POST /v1/results with a raw XML body')
const matching = testsIn(`${folder}/match-test-cases.test.ts`, 'the test case that a test bears on')
const unmatched = testsIn(`${folder}/match-test-cases.test.ts`, 'a test that leads to no test case')
const inText = testsIn('../../packages/matching/src/case-ids.test.ts', 'ids in a text')
const outcome = testsIn(`${folder}/test-outcome.test.ts`, 'the outcome of a test')
const onOneCase = testsIn(`${folder}/test-outcome.test.ts`, 'the outcome of several tests on one case')
const together = testsIn(`${folder}/upload-concurrency.test.ts`, 'uploads to one run at the same time')
const byKey = testsIn(`${folder}/upload-keys.test.ts`, 'a result of JSON that names its test case by automation key')
const late = testsIn(`${folder}/upload-late.test.ts`, 'an upload that says when its suite finished')
const query = testsIn(`${folder}/upload-query.test.ts`, 'the query of an upload of JSON')
const operation = testsIn('src/http/operations.test.ts', '%s %s')

const stores = json('stores every result and answers 200 with the counts of what it stored')
const partly = json('answers 207 with an error for each result that is not in the run, and stores the others')
const refuses = format('refuses %s, and stores nothing')
const dry = dryRun('answers to %s as the real call does, with dry_run, and stores nothing')

export const upload: readonly Requirement[] = [
  ['path /v1/results, method decided: POST', operation('is there: without a token it is 401, not 404'), stores],
  ['goes to a run created beforehand', format('does not find the run %j')],
  ['run_id: required, the run to upload into', format('refuses %j, which names no run'), stores],
  ['format: json where nothing is said', format('takes %s')],
  ['format: json or junit', format('takes %s'), refuses],
  ['results: required unless junit_xml is given', refuses, format('takes %s')],
  ['results[].test_case_id: required', refuses],
  [
    'results[].test_case_id: matched inside the run',
    partly,
    byKey('is stored for the case that has this very key'),
    byKey('is named by its key where the case is not in the run, or has a newer result'),
  ],
  ['results[].status: required', refuses],
  ['results[].status: one of five', json('takes the status %s'), refuses],
  ['results[].note: optional, note or error message', stores],
  ['results[].elapsed: optional, whole seconds', stores, refuses],
  ['junit_xml: required with format junit', refuses],
  ['junit_xml: a raw JUnit document', format('stores what a JUnit document in JSON says'), refuses],
  ['dry_run: false where nothing is said', stores, refuses],
  ['dry_run: true validates', dry, dryRun('refuses a completed run as the real call does')],
  [
    'dry_run: true stores nothing',
    dry,
    query('makes it a dry run, which stores nothing, where the body %s'),
    xml('takes dry_run from the query: %j'),
  ],
  [
    'uploads are idempotent',
    json('leaves the same behind when it is sent again'),
    late('leaves the same behind and is answered the same when it is sent again'),
  ],
  [
    'uploading a case again overwrites its earlier result',
    json('overwrites an earlier result as a whole'),
    together('never deadlock over the same test cases in different order, and leave each with one upload’s result'),
  ],
  [
    'JUnit elements to test cases: decided',
    matching('is named by its properties before all else'),
    matching('is named by ids in its name before those in its classname'),
    matching('is named by ids in its classname before automation keys'),
    matching('is named by the automation key classname.name before name alone'),
    inText('in %j are %j'),
    unmatched('is an error that names classname.name'),
  ],
  [
    'JUnit outcomes to statuses: decided',
    outcome('of one attempt that %s is %s'),
    outcome('of the attempts %s is decided by any pass, then by any failure'),
    onOneCase('is the worst of theirs: failed, blocked, retest, passed, not_tested'),
  ],
  ['answer to a dry run: decided, that of the real call', dry, xml('takes dry_run from the query: %j')],
  ['200: success, uploaded_count, failed_count, stats', stores],
  ['200: stats counts each of the five statuses', stores, json('takes the status %s')],
  ['207: success false, partial_failure, counts, stats, errors', partly],
  ['207: errors of test_case_id and error', partly, xml('answers 207 for tests that lead to no case of the run')],
  [
    '207: some were stored and some failed',
    partly,
    late('keeps a result that is newer as it is, stores the others, and answers 207 with the time of the newer one'),
  ],
]
