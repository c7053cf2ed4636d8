import fc from 'fast-check'

import type { Operation } from './document.ts'
import { hostileTexts } from './hostile-values.ts'

/** Which kind of thing a parameter or property names. */
export function getKind(operation: Operation, name: string): string | undefined {
  const { path, id } = operation
  if (name === 'token_id') return path.includes('/projects/') ? 'ci_token' : 'personal_token'
  if (name === 'secret') return kindOfLink(operation)
  if (name === 'parent_id') return path.includes('/milestones') ? 'parent_milestone' : 'folder'
  if (name === 'run_id' && id === 'updateRun') return 'closing_run'
  // A result answers to the id of its test case, too, and that goes for every run.
  if (name === 'result_id' || name === 'test_case_ids') return 'test_case'
  if (name === 'user_id') return 'bystander'
  if (name === 'folder_ids') return 'folder'
  return /^(project|folder|test_case|run|milestone|invitation|session)_id$/.exec(name)?.[1]
}

function kindOfLink({ path, method }: Operation): string {
  if (path.includes('/password-resets/')) return 'reset'
  if (path.includes('/invitations/')) return 'invitation'
  return method === 'GET' ? 'setup_link' : 'setup'
}

/** Whether a request takes away the thing that its path ends with. */
const usesUp = ({ method, path }: Operation) =>
  method === 'DELETE' || /setup|password-resets\/|\/resend$|\/accept$/.test(path)

/** Slots for the ids of what stands around. */
export const pickExisting = (kind: string) => fc.nat({ max: 7 }).map((index) => `{{${kind}.id:${index}}}`)

/** Ids in the path of things that are there. */
export function existingIds(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const ids = names.map((name) => {
    if (name === 'name') return [name, shardNames]
    const kind = getKind(operation, name)
    if (kind === undefined) throw new Error(`Nobody knows what ${name} of ${operation.id} names`)
    const field = name === 'secret' ? 'secret' : 'id'
    if (name === names.at(-1) && usesUp(operation)) return [name, fc.constant(`{{new ${kind}.${field}}}`)]
    return [name, fc.nat({ max: 7 }).map((index) => `{{${kind}.${field}:${index}}}`)]
  })
  return fc.record(Object.fromEntries(ids) as Record<string, fc.Arbitrary<string>>)
}

/** Few enough that some report again. */
const shardNames = fc.constantFrom('1', '2', '3', '4%2F4', 'a%20b', '%E2%82%AC%25')

const strangeIds: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '01a1fc2b-5f29-7584-9e03-d27674921b66',
    '{{project.id}}',
    '{{run.id}}',
    '{{folder.id}}',
    '{{foreign.project}}',
    '{{foreign.folder}}',
    '{{foreign.run}}',
    '{{signer.id}}',
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

/** The same, but for one that names nothing, or something else, or is no id. */
export function unknownIds(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return fc.constant({})
  return fc
    .tuple(existingIds(operation), fc.constantFrom(...names), strangeIds)
    .map(([good, name, id]) => ({ ...good, [name]: id }))
}
