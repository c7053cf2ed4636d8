import { type CaseRecord, createCase, type LinkRecord, type StepRecord } from '../../records.ts'
import { splitList } from '../folders.ts'
import { isWritten, USUAL_FIELD } from './testrail-steps.ts'

const AUTOMATION_FIELDS = ['automation_id', 'case_automation_id'] as const
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'preconds',
  'steps',
  'expected',
  USUAL_FIELD,
  'mission',
  'goals',
  'testrail_bdd_scenario',
  ...AUTOMATION_FIELDS,
])

/** They say how a test case is written, which it shows by itself. */
export const USUAL_TEMPLATES =
  /^(?:test case(?: \((?:steps|text)\))?|exploratory session|behaviou?r driven development)$/i

/** A test case as XML files and the API have it. */
export interface TestrailCase {
  readonly key: string
  readonly title: string
  readonly folder: string | null
  readonly position: number
  readonly template: string
  readonly priority: string
  readonly type: string
  readonly estimate: string
  readonly owner: string
  readonly references: string
  readonly steps: readonly StepRecord[]
  /** Custom fields by their name without `custom_`. */
  readonly custom: ReadonlyMap<string, string>
  readonly tags?: readonly string[]
  readonly created_by?: string
  readonly created_at?: string
  readonly updated_by?: string
  readonly updated_at?: string
}

export function toTestrailCase({ custom, steps, template, ...known }: TestrailCase): CaseRecord {
  const get = (name: string) => custom.get(name) ?? ''
  const separated = steps.some(isWritten)
  const [action, expected] = [get('steps'), get('expected')]
  const { key, title, folder, position, priority, type, owner } = known
  const scenario = readScenario(get('testrail_bdd_scenario'))
  return createCase({
    key: key === '' ? null : key,
    title,
    folder,
    position,
    markup: 'testrail',
    template: scenario !== '' ? 'gherkin' : /exploratory/i.test(template) ? 'exploratory' : 'steps',
    precondition: get('preconds'),
    descriptions: [
      { heading: 'Mission', text: get('mission') },
      { heading: 'Goals', text: get('goals') },
      // A text beside separate steps is not one of them.
      ...(separated ? [{ heading: 'Steps', text: action }] : []),
    ],
    steps: separated ? steps : [],
    step_text:
      scenario !== ''
        ? { rule: 'gherkin', action: scenario, expected: '' }
        : separated
          ? null
          : { rule: 'numbered', action, expected },
    expected_result: separated || scenario !== '' ? expected : '',
    priority,
    type,
    tags: known.tags ?? [],
    written_estimate: { text: known.estimate },
    owner,
    automation_keys: AUTOMATION_FIELDS.map(get).filter((text) => text !== ''),
    fields: {
      ...(template !== '' && !USUAL_TEMPLATES.test(template) && { Template: template }),
      ...Object.fromEntries([...custom].filter(([name, value]) => !KNOWN_FIELDS.has(name) && value !== '')),
    },
    links: toLinks(known.references),
    created_by: known.created_by ?? '',
    created_at: known.created_at ?? '',
    updated_by: known.updated_by ?? '',
    updated_at: known.updated_at ?? '',
  })
}

/** A result has no place for the version that was tested. */
export const toNote = (comment: string, version: string): string =>
  [comment, version === '' ? '' : `Version: ${version}`].filter((text) => text !== '').join('\n\n')

export const toLinks = (references: string): LinkRecord[] =>
  splitList(references).map((target): LinkRecord => ({ target, kind: 'requirement' }))

/** Scenarios are JSON, a list of texts, in the API; a text elsewhere. */
function readScenario(text: string): string {
  if (!text.trimStart().startsWith('[')) return text.trim()
  try {
    const json: unknown = JSON.parse(text)
    if (!Array.isArray(json)) return text.trim()
    return (json as unknown[])
      .map((part) => (typeof part === 'object' && part !== null && 'content' in part ? String(part.content) : ''))
      .join('\n\n')
      .trim()
  } catch {
    return text.trim()
  }
}
