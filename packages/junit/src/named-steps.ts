import { truncateText } from './clean-text.ts'
import type { NamedStep } from './test-attempt.ts'

/** How many steps of a test are kept. */
const MAX_STEPS = 1000
const MAX_TITLE_LENGTH = 1000
const MAX_MESSAGE_LENGTH = 10_000

const STEP_PROPERTY = /^step(?:_?\d{1,6})?(?:\[(passed|failure|failed|error|skipped|blocked)\])?$/i

const STATUSES: Readonly<Record<string, NamedStep['status']>> = {
  passed: 'passed',
  failure: 'failed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  blocked: 'blocked',
}

/** Reads the name of a property such as `step`, `step2` or `step[failure]`; null if it is not a step. */
export function parseStepProperty(name: string): Pick<NamedStep, 'status'> | null {
  const match = STEP_PROPERTY.exec(name)
  if (match === null) return null
  return { status: STATUSES[match[1]?.toLowerCase() ?? ''] ?? null }
}

export function addStep(steps: NamedStep[], status: NamedStep['status'], value: string): void {
  const [first, ...others] = readFields(value)
  if (first === undefined || steps.length >= MAX_STEPS) return
  const message = others.map(({ name, text }) => (name === '' ? text : `${name}: ${text}`)).join('\n')
  steps.push({
    title: truncateText(first.text, MAX_TITLE_LENGTH),
    status,
    message: truncateText(message, MAX_MESSAGE_LENGTH),
  })
}

interface StepField {
  name: string
  text: string
}

const FIELD_END = '</test-step-subfield>'
const FIELD_START = '<test-step-subfield'

/** Reads the text of a step, or its fields, which Testmo writes as elements of HTML. The first one is its title. */
function readFields(value: string): StepField[] {
  if (!value.includes(FIELD_START)) return toFields([{ name: '', text: value.trim().replaceAll(/\s*\n\s*/g, ' ') }])
  // Divided at the ends first, so that many unclosed elements cost no more than one.
  const fields = value.split(FIELD_END).flatMap((part) => {
    const start = part.lastIndexOf(FIELD_START)
    const tagEnd = start === -1 ? -1 : part.indexOf('>', start)
    if (tagEnd === -1) return []
    const name = /\sname="([^"]*)"/.exec(part.slice(start, tagEnd))?.[1] ?? ''
    return [{ name, text: toText(part.slice(tagEnd + 1)) }]
  })
  return toFields(fields)
}

const toFields = (fields: readonly StepField[]): StepField[] => fields.filter(({ text }) => text !== '')

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' }

/** Removes tags of HTML and joins its lines. */
function toText(html: string): string {
  return html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
}
