import { QUOTAS } from '@caseward/contract/admin'
import { INSERTED_PLAN } from '@caseward/test-support/import-scenario'
import fc from 'fast-check'

import { PASSWORD } from '@caseward/test-support/users'
import type { Operation } from './read-operations.ts'
import { CURSORS, getKind, pickExisting } from './ids.ts'
import type { Json } from './json-text.ts'
import { junitDocument } from './junit-documents.ts'
import { type Hints, moment } from './schema-values.ts'

const digests = fc.constantFrom('0', 'a', 'f').map((digit) => digit.repeat(64))
const tomorrow = fc.constant(new Date(Date.now() + 86_400_000).toISOString())
const plainSteps = fc.array(fc.record({ action: fc.constantFrom('Open', 'Sign in', '') }), { maxLength: 6 })
const sentSteps = fc.array(
  fc.oneof(
    fc.record({ action: fc.constantFrom('Open', 'Sign in', '') }),
    fc.record({ shared_step_id: pickExisting('shared_step') }),
    fc.record({ shared_step_id: pickExisting('shared_step'), version: fc.constant(1) }),
  ),
  { minLength: 2, maxLength: 6 },
)
const positions = fc.constantFrom('a1', 'a2V', 'Zz', 'b10V')

/** Operations with values of custom fields in their bodies. */
const OPERATIONS_WITH_FIELDS = new Set([
  'createTestCase',
  'updateTestCase',
  'putTestCase',
  'bulkCreateTestCases',
  'bulkUpdateTestCases',
  'importTestCases',
])

/** Operations with values of custom fields of runs or results, of which the project has none. */
const OPERATIONS_WITH_OTHER_FIELDS = new Set([
  'createRun',
  'updateRun',
  'setResult',
  'changeResult',
  'bulkUpdateResults',
])

/** A request may have only one of several proofs, and options depend on the type of a field: these are left out. */
const LEFT_OUT: Record<string, string[]> = {
  // Those of `required_on` are only for fields of results.
  createField: ['options', 'required_on'],
  updateField: ['type', 'options', 'required_on'],
  createInstanceField: ['options'],
  updateInstanceField: ['type', 'options'],
  setInstanceField: ['required_on'],
  // Two requests would rename each other's groups, or retire what others need.
  createConfiguration: ['group_name'],
  createInstanceConfiguration: ['group_name'],
  updateConfiguration: ['group_name', 'retired'],
  updateInstanceConfiguration: ['group_name', 'retired'],
  // Only for rows.
  listTestCases: ['columns'],
  // Of few requests, too many would have a wrong one.
  listCombinations: ['after'],
  // They must be those of `steps`; keys must agree with each other, and owners be members.
  // A request would take as long.
  getEvaluation: ['wait'],
  importTestCases: ['shared_steps', 'automation_keys', 'owner'],
  // Either what is sent, or what a test case has.
  createSharedStep: ['from'],
  updateSharedStep: ['test_case_ids'],
  // Either one or several, and a test has one quarantine.
  createQuarantines: ['test_ids'],
  confirmSession: ['totp_code', 'recovery_code', 'passkey'],
  completeSignIn: ['totp_code', 'passkey'],
}

/** Returns values for properties whose schema alone does not make a valid request. */
export function getHints(operation: Operation): Hints {
  const { id } = operation
  const knowsPassword = ['signIn', 'updateMe', 'confirmSession'].includes(id)
  const asksForAccount = id === 'signIn' || id === 'requestPasswordReset'
  const values: Record<string, fc.Arbitrary<Json>> = {
    junit_xml: junitDocument,
    test_case_id: mostly(pickExisting('test_case'), fc.constant('WEB-99999')),
    aliases: fc.uniqueArray(
      fc.record({
        system: fc.constantFrom('testrail', 'sheet'),
        source: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }).map((text) => `s${text}`),
        key: fc.nat(99_999).map((number) => `C${number + 1}`),
      }),
      { maxLength: 3, selector: ({ key }) => key },
    ),
    run_key: mostly(fc.constantFrom('build 1', 'build 2', 'build 3'), fc.string({ minLength: 1, maxLength: 300 })),
    start_date: mostly(fc.constantFrom(null, '2024-01-01', '2025-06-01T12:00:00+02:00'), moment),
    due_date: mostly(fc.constantFrom(null, '2026-12-01', '2199-12-31T23:59:60Z'), moment),
    finished_at: mostly(fc.constantFrom('2026-01-05T12:00:00.250Z', '2026-01-05T13:30:00+01:30'), moment),
    after:
      id === 'listDrift' || id === 'listCaseVersions' || id === 'listSharedStepVersions' || id === 'listImportRecords'
        ? fc.integer({ min: 1, max: 5 })
        : id === 'listDuplicates'
          ? fc.constantFrom('0000000000000000', '7fffffffffffffff', 'ffffffffffffffff')
          : id.endsWith('FailureGroups')
            ? fc.constantFrom(`1.${'0'.repeat(32)}`, `99.${'f'.repeat(32)}`)
            : id === 'moveTestCases'
              ? fc.option(pickExisting('test_case'), { freq: 2 })
              : pickExisting(CURSORS[id] ?? 'run'),
    ...(id === 'applyImport' ? { plan: fc.constant(INSERTED_PLAN) } : {}),
    ...(id === 'createRun'
      ? { configurations: fc.constantFrom({ groups: { browser: ['chrome'] }, mode: 'pairwise' }) }
      : {}),
    ...(id === 'changeRunConfigurations'
      ? {
          add: fc.constantFrom({ groups: { system: ['mac'] } }, { list: [{ values: { system: 'windows' } }] }),
          remove: fc.constantFrom([], [], [], [], [1]),
        }
      : {}),
    ...(id === 'bulkUpdateResults' ? { place: fc.constantFrom(1, 2) } : {}),
    ...(id === 'assignResults' ? { configurations: fc.constantFrom([1], [2, 1]) } : {}),
    ...(id === 'createConfiguration' ? { group_key: fc.constantFrom('browser', 'system') } : {}),
    ...(id === 'createInstanceConfiguration' ? { group_key: fc.constantFrom('org_browser', 'org_system') } : {}),
    ...(id === 'listTestCases' ? { sort: fc.constantFrom('field.a_number', '-field.a_date', 'field.a_select') } : {}),
    ...(OPERATIONS_WITH_FIELDS.has(id)
      ? {
          // Rows of files have the texts of steps.
          steps: id === 'importTestCases' ? plainSteps : sentSteps,
          // Other requests need test cases that are not archived.
          archived: fc.constant(false),
          // Only for admins.
          create_options: fc.constant(false),
        }
      : {}),
    before_run: pickExisting('run'),
    base: pickExisting('run'),
    head: pickExisting('run'),
    ...(id === 'uploadResults' ? { sha256: digests } : {}),
    ...(id === 'listVerdicts'
      ? { signature: fc.constantFrom('0'.repeat(32), '5f1b6c9a4d2e4f7081a3b5c7d9e0f123') }
      : {}),
    ...(id === 'listMissingFiles' ? { after: digests } : {}),
    // Elsewhere, it can be the id of a test case.
    ...(id === 'listCombinations' ? { result_id: fc.constant('019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a02') } : {}),
    ...(OPERATIONS_WITH_OTHER_FIELDS.has(id)
      ? { fields: mostly(fc.constant({}), fc.constantFrom({ unknown: 1 }, { unknown: [1] })) }
      : {}),
    issue_template: mostly(
      fc.constantFrom(
        null,
        'https://acme.test/new?title={title}',
        'http://acme.test/?t={title}&b={body}&l={labels}&u={url}',
      ),
      fc.constantFrom('https://acme.test/new', 'https://acme.test/{title}{color}', 'javascript:{title}'),
    ),
    url: mostly(
      fc.nat({ max: 40 }).map((number) => `https://acme.test/browse/SHOP-${number}`),
      fc.constantFrom('javascript:alert(1)', 'https://ada:secret@acme.test/', '//acme.test'),
    ),
    time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
    runs: fc.integer({ min: 1, max: 100 }),
    changed_since: mostly(fc.constantFrom('2024-01-01', '2026-01-05T12:00:00.250Z'), moment),
    base_tested_at: mostly(fc.constantFrom(null, '2199-12-31T23:59:59Z'), moment),
    // Other requests need the existing ones.
    ...(id === 'bulkUpdateTestCases'
      ? {
          // Requires a template.
          convert_steps: mostly(fc.constant(false), fc.boolean()),
          id: pickExisting('test_case'),
          position: mostly(positions, fc.string({ maxLength: 120 })),
        }
      : {}),
    ...(id === 'bulkDeleteTestCases' ? { test_case_ids: fc.constant(['{{new test_case.id}}', 'WEB-99999']) } : {}),
    ...(id === 'mergeFieldOptions'
      ? { from: mostly(fc.constant('low'), fc.constant('minor')), into: mostly(fc.constant('minor'), fc.string()) }
      : {}),
    ...(id === 'copyTestCase' ? { count: fc.constantFrom(1, 2, 50) } : {}),
    ...(id === 'copyTestCases'
      ? { test_case_ids: fc.array(pickExisting('test_case'), { minLength: 1, maxLength: 4 }) }
      : {}),
    from_ids: fc.constant(['{{new test_case.id}}']),
    merge_id: fc.constant('{{new merge.id}}'),
    ...(id === 'importTestCases' ? { id: pickExisting('test_case') } : {}),
    ...(OPERATIONS_WITH_FIELDS.has(id)
      ? {
          fields: mostly(fc.constant({}), fc.constantFrom({ a_number: 3, a_text: 'x' }, { unknown: [1] })),
          add_options: fc.constantFrom({}, { a_multi_select: ['high'] }),
          remove_options: fc.constantFrom({}, { a_multi_select: ['high'] }),
        }
      : {}),
    ...(id === 'createInstanceField' ? { key: fc.nat(9999).map((number) => `org_${number}`) } : {}),
    ...(/^(create|update|set)(Instance)?Field$/.test(id)
      ? {
          type: fc.constant('number'),
          // Other requests create test cases without values.
          is_required: fc.constant(false),
          default: fc.constant(null),
          min: fc.constant(null),
          max: fc.constantFrom(null, null, 5),
          decimals: fc.constant(null),
        }
      : {}),
    actor: fc.constant('{{admin.id}}'),
    user_ids: fc.constantFrom([], ['{{admin.id}}']),
    ...(id === 'setReportSubscription' ? { every: fc.constant('week'), weekday: fc.integer({ min: 1, max: 7 }) } : {}),
    // A test is continued by one other, and both were never in one run.
    ...(id === 'continueTest' ? { from_test_id: fc.constant('{{new earlier_test.id}}') } : {}),
    ...(id === 'createQuarantines' ? { test_id: mostly(fc.constant('{{new test.id}}'), pickExisting('test')) } : {}),
    ...(/^(?:create|update)Quarantine/.test(id)
      ? {
          link: mostly(fc.constantFrom(null, 'https://acme.test/SHOP-1'), fc.constant('ftp://acme.test')),
          reason: mostly(fc.constantFrom('Times out', 'SHOP-41'), fc.string({ maxLength: 2100 })),
          branches: fc.constantFrom([], ['release/*']),
        }
      : {}),
    owner_id: /Quarantine/.test(id)
      ? mostly(fc.constant('{{admin.id}}'), fc.constant('nobody'))
      : fc.constantFrom(null, '{{admin.id}}', '{{admin.id}}', 'nobody'),
    q: mostly(
      id === 'search' ? fc.constantFrom('person', 'WEB-1', '%') : fc.constantFrom('person', 'example', '%', ''),
      fc.string({ maxLength: 300 }),
    ),
    expires_at: mostly(
      /^create(?:Run|Milestone)Share$|Quarantines?$/.test(id) ? tomorrow : fc.constantFrom(null, '2199-01-01'),
      moment,
    ),
    // The existing views are of test cases.
    ...(id.endsWith('View')
      ? {
          page: mostly(fc.constant('cases'), fc.constant('runs')),
          query: mostly(fc.constantFrom('', '?tag=smoke&q=x', 'sort=title&desc=1'), fc.string({ maxLength: 100 })),
        }
      : {}),
    // Other requests share reports, also as members.
    ...(id === 'updateRunSettings' ? { shares: fc.constant('members') } : {}),
    // Requires a grant, which the tokens do not have.
    ...(id === 'uploadResults' || id === 'uploadReports'
      ? { create_test_cases: mostly(fc.constant(false), fc.boolean()) }
      : {}),
    // Limits of the whole instance, which would refuse the other requests.
    ...(id === 'updateInstanceSettings'
      ? {
          require_second_factor: fc.constant(false),
          ...Object.fromEntries(QUOTAS.map((quota) => [quota, fc.constantFrom(null, 1_000_000)])),
        }
      : {}),
    ...(knowsPassword ? { password: fc.constant(PASSWORD), current_password: fc.constant(PASSWORD) } : {}),
    ...(id === 'activateTotp' ? { code: fc.constant('{{new pending_factor.code}}') } : {}),
    ...(id === 'activatePasskey'
      ? {
          id: fc.constant('{{new passkey_answer.id}}'),
          clientDataJSON: fc.constant('{{new passkey_answer.client_data}}'),
          attestationObject: fc.constant('{{new passkey_answer.attestation}}'),
        }
      : {}),
    ...(id === 'signInWithPasskey'
      ? {
          id: fc.constant('{{new passkey_sign_in.id}}'),
          clientDataJSON: fc.constant('{{new passkey_sign_in.client_data}}'),
          authenticatorData: fc.constant('{{new passkey_sign_in.authenticator_data}}'),
          signature: fc.constant('{{new passkey_sign_in.signature}}'),
          userHandle: fc.constant('{{new passkey_sign_in.user_handle}}'),
        }
      : {}),
    ...(id.startsWith('attachTo')
      ? {
          name: fc.constantFrom('a.png', 'b.txt'),
          file_id: pickExisting('file'),
          step: mostly(fc.constant([]), fc.constantFrom(1, 500)),
        }
      : {}),
    ...(id === 'getFileText'
      ? {
          from: mostly(fc.nat({ max: 40 }), fc.maxSafeNat()),
          to: mostly(fc.integer({ min: 40, max: 80 }), fc.maxSafeNat()),
        }
      : {}),
    ...(id.endsWith('Comment') ? { attachment_ids: mostly(fc.constant([]), fc.constant(['{{attachment.id}}'])) } : {}),
    ...(id.endsWith('Activity') && id !== 'listActivity'
      ? { after: fc.constantFrom('1795600000000~comment:', '1795600000000~result:f', '0000000000000~run:') }
      : {}),
    ...(id === 'completeSignIn' ? { recovery_code: fc.constant('{{new pending_sign_in.code}}') } : {}),
    ...(id === 'deleteMe' ? { email: fc.constant('{{new account.email}}') } : {}),
    ...(asksForAccount ? { email: fc.constant('{{password_user.email}}') } : {}),
  }
  return (name) => {
    if (LEFT_OUT[id]?.includes(name) === true) return null
    if (values[name] !== undefined) return values[name]
    const kind = getKind(operation, name)
    if (kind === undefined) return undefined
    // Most folders can move to the top level, but only few into another one.
    if (name === 'parent_id') return fc.option(pickExisting(kind), { freq: 2 })
    return name.endsWith('s') ? fc.array(pickExisting(kind), { maxLength: 4 }) : pickExisting(kind)
  }
}

const mostly = (usual: fc.Arbitrary<Json>, rare: fc.Arbitrary<Json>) =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare })
