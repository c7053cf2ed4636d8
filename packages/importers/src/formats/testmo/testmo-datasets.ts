export type JsonRow = Readonly<Record<string, unknown>>
export type Datasets = ReadonlyMap<string, readonly JsonRow[]>

/** Names of datasets by which an export is recognized. */
export const NAMES: ReadonlySet<string> = new Set([
  'repository_cases',
  'repository_folders',
  'repository_case_steps',
  'repository_case_values',
  'projects',
  'users',
  'runs',
  'run_tests',
  'run_results',
  'milestones',
  'configs',
  'statuses',
])

const isObject = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toRows = (value: unknown): JsonRow[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Finds the datasets of an export in the shapes that it can have. @returns null if it is another JSON */
export function findDatasets(json: unknown): Datasets | null {
  if (!isObject(json)) return null
  const inner = json['datasets']
  const found = new Map<string, JsonRow[]>()
  if (Array.isArray(inner)) {
    for (const each of toRows(inner)) found.set(String(each['name']), toRows(each['rows'] ?? each['data']))
  } else {
    for (const [name, value] of Object.entries(isObject(inner) ? inner : json)) {
      if (isObject(value) && Array.isArray(value['data'])) found.set(name, toRows(value['data']))
    }
  }
  return [...found.keys()].some((name) => NAMES.has(name)) ? found : null
}

/** Whether a flag is set, in any of the ways that exports write it. */
export const isOn = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** A text or a number as text; nothing else is one. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
