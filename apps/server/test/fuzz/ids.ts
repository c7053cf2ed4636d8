import fc from 'fast-check'

import type { Operation } from './read-operations.ts'
import { hostileTexts } from './hostile-values.ts'

/** What the cursor of a list is the id of. */
export const CURSORS: Record<string, string> = {
  listTestCases: 'test_case',
  listSharedStepUses: 'test_case',
  listResults: 'result',
  listCombinedResults: 'result',
  compareRuns: 'result',
  listImports: 'import',
  listQuarantines: 'quarantine',
  listVerdicts: 'test',
  findSimilarForTests: 'test',
}

/** Returns the kind of resource that a parameter or a property refers to. */
export function getKind(operation: Operation, name: string): string | undefined {
  const { path, id } = operation
  if (name === 'token_id') return path.includes('/projects/') ? 'ci_token' : 'personal_token'
  if (name === 'factor_id') return path.endsWith('/activate') ? 'pending_factor' : 'second_factor'
  if (name === 'secret') return getLinkKind(operation)
  if (name === 'parent_id') return path.includes('/milestones') ? 'parent_milestone' : 'folder'
  if (name === 'run_id' && id === 'updateRun') return 'closable_run'
  // A result can be addressed by the id of its test case, in every run.
  if (name === 'result_id' || name === 'result_ids' || name === 'test_case_ids') return 'test_case'
  if (name === 'user_id') return path.startsWith('/v1/admin/') ? 'other_user' : 'other_member'
  if (name === 'folder_ids') return 'folder'
  // The tests of a run are those of its uploads.
  if (name === 'test_id' || name === 'from_test_id') return 'test'
  if (name === 'test_ids') return 'test'
  if (name === 'all_unmatched_of_run') return 'run'
  if (name === 'error_id') return 'suite_error'
  if (id === 'putBackLeftOut' && name === 'id') return 'left_out'
  if (name === 'sha256' && id === 'deleteContent') return 'stored_content'
  if (name === 'sha256' && path.includes('{sha256}')) return 'declared_file'
  if (name === 'configuration_id' && path.includes('/admin/')) return 'instance_configuration'
  if (name === 'field_id' && /admin\/fields|instance-fields/.test(path)) return 'instance_field'
  if (name === 'signature') return 'failure_group'
  if (name === 'place') return 'combination'
  if (name === 'person_id') return 'imported_person'
  if (name === 'link_id') return path.includes('/runs/') ? 'result_link' : 'test_case_link'
  return /^(project|folder|field|share|file|file_upload|attachment|comment|test_case|run|milestone|invitation|session|identity|view|configuration|shared_step|import|quarantine)_id$/.exec(
    name,
  )?.[1]
}

function getLinkKind({ path, method }: Operation): string {
  if (path.includes('/password-resets/')) return 'reset'
  if (path.includes('/invitations/')) return 'invitation'
  return method === 'GET' ? 'setup_link' : 'first_user_link'
}

/** Whether a request deletes or uses up the resource at the end of its path. */
const consumesResource = ({ method, path }: Operation) =>
  (method === 'DELETE' && !/\/(?:members\/me|report-subscription)$/.test(path)) ||
  /setup|password-resets\/|\/resend$|\/accept$|\/activate$|\/leave-out$|\/files\/\{sha256\}$|file_upload_id/.test(path)

/** Returns slots for the ids of existing resources. */
export const pickExisting = (kind: string) => fc.nat({ max: 7 }).map((index) => `{{${kind}.id:${index}}}`)

/** Ids of existing resources for the path of an operation. */
export function existingIds(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const last = names.at(-1)
  const ids = names.map((name) => {
    if (name === 'name') return [name, shardNames]
    // What is merged needs another test case, and is archived.
    if (name === 'test_case_id' && operation.id === 'mergeTestCases') return [name, fc.constant('WEB-1')]
    // Only what was imported can be undone, and has conflicts.
    if (name === 'import_id' && (operation.id === 'undoImport' || operation.id === 'resolveConflicts'))
      return [name, fc.constant('{{new done_import.id}}')]
    // Other requests plan the imports that exist again, or apply them.
    if (name === 'import_id' && operation.id === 'applyImport') return [name, fc.constant('{{new planned_import.id}}')]
    // Only what failed or was canceled can be resumed.
    if (name === 'import_id' && operation.id === 'resumeImport')
      return [name, fc.constant('{{new cancelled_import.id}}')]
    // Only a select has options.
    if (name === 'field_id' && operation.id === 'mergeFieldOptions') return [name, fc.constant('{{new field.id}}')]
    if (name === 'test_case_id' && operation.id === 'undoMerge') return [name, fc.constant('{{new merge.test_case}}')]
    if (name === 'test_id' && operation.id === 'continueTest') return [name, fc.constant('{{new unseen_test.id}}')]
    if (name === 'version') return [name, fc.constantFrom('1', '1', '1', '2', 'latest')]
    const kind = getKind(operation, name)
    if (kind === undefined) throw new Error(`Unknown kind of resource: ${name} of ${operation.id}`)
    const field = name === 'secret' ? 'secret' : 'id'
    if (name === 'run_id' && isOfNewItem(operation)) return [name, runOfItem(operation, last)]
    if ((/\/links\//.test(operation.path) || isOfNewItem(operation)) && /^(test_case|result)_id$/.test(name))
      return [name, fc.constant('WEB-1')]
    if (name === last && consumesResource(operation)) return [name, fc.constant(`{{new ${kind}.${field}}}`)]
    return [name, fc.nat({ max: 7 }).map((index) => `{{${kind}.${field}:${index}}}`)]
  })
  return fc.record(Object.fromEntries(ids) as Record<string, fc.Arbitrary<string>>)
}

/** Whether a request is about something that is created for it, in a run of its own. */
const isOfNewItem = ({ method, path }: Operation): boolean =>
  /\/leave-out$|\/left-out\/|\/links\/|\/files\/\{/.test(path) ||
  (method === 'DELETE' && path.includes('/combinations/'))

/** The run of the test or error that is created for this request. */
const runOfItem = (operation: Operation, parameter = ''): fc.Arbitrary<string> =>
  fc.constant(`{{new ${getKind(operation, parameter)}.run}}`)

/** Only a few, so that some shards are reported twice. */
const shardNames = fc.constantFrom('1', '2', '3', '4%2F4', 'a%20b', '%E2%82%AC%25')

const unusualIds: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '01a1fc2b-5f29-7584-9e03-d27674921b66',
    '{{project.id}}',
    '{{run.id}}',
    '{{folder.id}}',
    '{{other_project.project}}',
    '{{other_project.folder}}',
    '{{other_project.run}}',
    // Not a user whom other requests need: the request may be to disable the user.
    '{{outsider.id}}',
    '{{result.id:1}}',
    'WEB-99999',
    'WEB-99999999999',
    'web-1',
    '.',
    '..',
    '%',
    '%zz',
    '%00',
    '%ff',
    '%ED%A0%80',
    '%C0%AE%C0%AE',
    'a%2Fb',
    '..%2F..%2Fetc%2Fpasswd',
    '%252e',
    ';a=b',
    ':id',
    '*',
    '{}',
    '"\\|^`',
    'x'.repeat(300),
    'x'.repeat(301),
    '%F0%9F%98%80'.repeat(500),
    'bulk',
  ),
  fc
    .constantFrom(...hostileTexts.filter(({ length }) => length < 300))
    .map((text) => encodeURIComponent(text.toWellFormed())),
)

/** The same, with one id that is unknown, of another kind or invalid. */
export function unknownIds(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return fc.constant({})
  return fc
    .tuple(existingIds(operation), fc.constantFrom(...names), unusualIds)
    .filter(([, name, id]) => !isOfKind(id, getKind(operation, name)))
    .map(([original, name, id]) => ({ ...original, [name]: id }))
}

/** The same, with one id that no row can have, and that PostgreSQL would refuse. */
export function impossibleIds(operation: Operation): fc.Arbitrary<Record<string, string>>[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return names.flatMap((name) =>
    ['%00', ''].map((id) => existingIds(operation).map((original) => ({ ...original, [name]: id }))),
  )
}

/**
 * Whether an id is a slot for an existing resource of this kind. Such an id is valid: a request with it could delete the
 * project or the run that all other requests use.
 */
const isOfKind = (id: string, kind: string | undefined): boolean => kind !== undefined && id.startsWith(`{{${kind}.`)
