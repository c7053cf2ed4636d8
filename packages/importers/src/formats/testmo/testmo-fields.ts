import { type Answers, toText } from '../answers.ts'
import { type Raw, readList, readObjects } from '../caseward/read-values.ts'

/** Reads the custom fields of a test case by their names, but for those that are named. */
export type ReadTestmoFields = (testCase: Raw, others: ReadonlySet<string>) => Record<string, string>

interface Field {
  readonly name: string
  readonly options: ReadonlyMap<string, string>
}

/** Fields whose values are options. */
const LISTS = new Set(['custom_priority', 'custom_type'])

/** Creates what reads custom fields. The tool does not say on every plan what fields there are: then their keys are their names. */
export async function createTestmoFields(answers: Answers): Promise<ReadTestmoFields> {
  const fields = new Map<string, Field>()
  for await (const { item } of answers.read('fields')) {
    const values = ['values', 'options', 'field_values'].flatMap((name) => readObjects(item, name))
    const key = toText(item['system_name']) || toText(item['column_name']) || toText(item['key'])
    const options = new Map(values.map((value) => [toText(value['id']), toText(value['name'])]))
    fields.set(key.startsWith('custom_') ? key : `custom_${key}`, { name: toText(item['name']), options })
  }
  return (testCase, others) => {
    const values: Record<string, string> = {}
    for (const [key, value] of Object.entries(testCase)) {
      if (!key.startsWith('custom_') || others.has(key) || key.endsWith('_name')) continue
      const field = fields.get(key)
      const texts = (Array.isArray(value) ? readList(testCase, key) : [value]).map((each) => toOption(each, key, field))
      const text = texts.filter((each) => each !== '').join(', ')
      if (text !== '') values[field?.name || toName(key)] = text
    }
    return values
  }
}

function toOption(value: unknown, key: string, field: Field | undefined): string {
  const text = toText(value)
  const option = field?.options.get(text)
  if (option !== undefined) return option
  // A bare number would be read as a priority from 1, the highest.
  return typeof value === 'number' && LISTS.has(key) ? `Value ${text}` : text
}

/** `custom_test_type` is `Test type`. */
function toName(key: string): string {
  const words = key.slice('custom_'.length).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
