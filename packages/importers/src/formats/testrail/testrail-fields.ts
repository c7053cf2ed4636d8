import { toText } from '../answers.ts'
import { isRaw, type Raw, readObject, readObjects, readString } from '../caseward/read-values.ts'

/** Reads the value of a custom field as people see it. */
export type ReadFieldText = (systemName: string, value: unknown) => string

/** `type_id` of get_case_fields. */
const TYPE = { dropdown: 6, user: 7, milestone: 9, multiSelect: 12 } as const

/**
 * Creates a reader of custom fields: numbers of options, users and milestones become their names.
 * @param fields what get_case_fields has answered
 */
export function createFieldReader(
  fields: readonly Raw[],
  { users, milestones }: { users: ReadonlyMap<string, string>; milestones: ReadonlyMap<string, string> },
): ReadFieldText {
  const known = new Map(
    fields.map((field) => [
      readString(field, 'system_name'),
      { type: Number(field['type_id']), options: readOptions(field) },
    ]),
  )
  return (systemName, value) => {
    const field = known.get(systemName)
    const toName = (id: unknown): string => {
      const text = toText(id)
      if (field?.type === TYPE.user) return users.get(text) ?? text
      if (field?.type === TYPE.milestone) return milestones.get(text) ?? text
      const hasOptions = field?.type === TYPE.dropdown || field?.type === TYPE.multiSelect
      return hasOptions ? (field.options.get(text) ?? text) : text
    }
    if (Array.isArray(value)) {
      return value
        .map((item) => toName(isRaw(item) ? (item['id'] ?? item['content']) : item))
        .filter((text) => text !== '')
        .join(', ')
    }
    return toName(value)
  }
}

/** Lines `number, label`, which projects can have different ones of. */
function readOptions(field: Raw): Map<string, string> {
  const options = new Map<string, string>()
  for (const config of readObjects(field, 'configs')) {
    for (const line of readString(readObject(config, 'options'), 'items').split('\n')) {
      const [, id = '', label = ''] = /^\s*(\d+)\s*,\s*(.*?)\s*$/.exec(line) ?? []
      if (id !== '') options.set(id, label)
    }
  }
  return options
}
