import type { SkippedPart } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

const reasons: Record<SkippedPart['reason'], string> = {
  not_found: 'there is no such field',
  other_type: 'the field has another type there',
  retired: 'it is retired',
  invalid: 'the field has other limits there',
  not_a_member: 'the person does not edit test cases there',
  other_project: 'they became steps of the copy',
  shortened: 'it was shortened to have room for the number',
  lost: 'its content is gone',
  too_large: 'the files are larger than 100 MB in all',
  quota: 'the project has no room for it',
}

const names: Record<string, string> = {
  owner_id: 'Owner',
  step_groups: 'Shared steps',
  title: 'Title',
  attachments: 'File',
}

/** What copies lack of their originals, each once, with how many test cases it is missing from. */
export function describeSkipped(
  skipped: readonly SkippedPart[],
  fields: readonly { readonly key: string; readonly name: string }[],
): string[] {
  const counts = new Map<string, number>()
  for (const part of skipped) {
    const text = describePart(part, fields)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${formatNumberOf(count, 'test case')})`))
}

function describePart(
  { field, reason, value }: SkippedPart,
  fields: readonly { readonly key: string; readonly name: string }[],
): string {
  const key = field.startsWith('fields.') ? field.slice('fields.'.length) : null
  const name = key === null ? (names[field] ?? field) : (fields.find((item) => item.key === key)?.name ?? key)
  const what = value === undefined ? name : `${name} “${value}”`
  const why = value !== undefined && reason === 'not_found' ? 'there is no such option' : reasons[reason]
  return `${what}: ${why}`
}
