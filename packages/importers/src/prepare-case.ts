import type { LossCode } from './losses.ts'
import { settlePictures } from './markup/settle-pictures.ts'
import { toMarkdown } from './markup/to-markdown.ts'
import type { CaseRecord, PreparedCase, Step, StepRecord } from './records.ts'
import { addData } from './steps/json-lines.ts'
import { splitSteps } from './steps/split-steps.ts'

const MAX_TITLE_LENGTH = 255
const MAX_STEPS = 500
const MAX_TAGS = 50
const MAX_TAG_LENGTH = 64

const joinTexts = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n')

/** Splits the texts of a case into steps, and converts all of them to Markdown. */
export function prepareCase(record: CaseRecord): PreparedCase {
  return record.own === undefined ? prepareForeignCase(record) : prepareOwnCase(record)
}

/** What Caseward has exported is as it is stored. */
function prepareOwnCase(record: CaseRecord): PreparedCase {
  const { markup: _, descriptions: __, postcondition: ___, step_text: ____, ...rest } = record
  const losses: LossCode[] = []
  const isTitle = record.title.trim() !== '' && Array.from(record.title).length <= MAX_TITLE_LENGTH
  const isKnownSize =
    record.tags.length <= MAX_TAGS && record.tags.every((tag) => Array.from(tag).length <= MAX_TAG_LENGTH)
  return {
    ...rest,
    title: isTitle ? record.title : readTitle(record, losses),
    steps: limitSteps(
      record.steps.map(({ action, expected }) => ({ action, expected })),
      losses,
    ),
    tags: isKnownSize ? record.tags : readTags(record.tags, losses),
    losses,
  }
}

function prepareForeignCase(record: CaseRecord): PreparedCase {
  const { markup, descriptions, postcondition, steps, step_text: stepText, pictures = [], ...rest } = record
  const losses: LossCode[] = []
  const convert = (text: string) => {
    const { text: converted, isDropped } = toMarkdown(text, markup)
    if (isDropped) losses.push('markup_dropped')
    return settlePictures(converted, pictures, losses).trim()
  }
  const isSplitFirst = stepText !== null && (stepText.rule === 'crlf' || stepText.rule === 'json_lines')
  const source = stepText === null || isSplitFirst ? stepText : convertText(stepText, convert)
  const split = source === null ? null : splitSteps(source)
  if (split?.isNotSplit === true) losses.push('expected_not_split')
  const all: Step[] = [
    ...steps.map((step) => toStep(step, convert, losses)),
    ...(split?.steps ?? []).map(({ action, expected }) =>
      isSplitFirst ? { action: convert(action), expected: convert(expected) } : { action, expected },
    ),
  ].filter(({ action, expected }) => action !== '' || expected !== '')
  return {
    ...rest,
    title: readTitle(record, losses),
    precondition: joinTexts([
      convert(record.precondition),
      ...descriptions.map(({ heading, text }) => (text.trim() === '' ? '' : `**${heading}**\n\n${convert(text)}`)),
      split?.precondition ?? '',
    ]),
    steps: limitSteps(all, losses),
    expected_result: joinTexts([
      convert(record.expected_result),
      isSplitFirst ? convert(split?.expected_result ?? '') : (split?.expected_result ?? ''),
      postcondition.trim() === '' ? '' : `**Postcondition**\n\n${convert(postcondition)}`,
    ]),
    tags: readTags(record.tags, losses),
    losses,
  }
}

const convertText = (text: NonNullable<CaseRecord['step_text']>, convert: (text: string) => string) =>
  text.rule === 'gherkin' ? text : { ...text, action: convert(text.action), expected: convert(text.expected) }

/** Steps of shared steps have their texts in the files of some tools. Without any, the step names what it stands for. */
function toStep(
  { action, data = '', expected, notes = [], shared }: StepRecord,
  convert: (text: string) => string,
  losses: LossCode[],
): Step {
  const notesText = notes.filter((note) => note.trim() !== '').map((note) => `Note: ${convert(note)}`)
  const step = {
    action: joinTexts([addData(convert(action), convert(data)), ...notesText]),
    expected: convert(expected),
  }
  if (shared === undefined) return step
  const isMissing = step.action === '' && step.expected === ''
  losses.push(isMissing ? 'called_case_missing' : 'shared_step_inlined')
  return isMissing ? { action: `Run the steps of ${shared}`, expected: '' } : step
}

/** Names are one line. */
// oxlint-disable-next-line no-control-regex
const cleanLine = (text: string) => text.replaceAll(/[\s\u0000-\u001F\u007F\u00AD\u200B\uFEFF]+/g, ' ').trim()

function readTitle({ title, key }: CaseRecord, losses: LossCode[]): string {
  const line = cleanLine(title)
  if (line === '') {
    losses.push('title_empty')
    return key === null ? 'Untitled' : `Untitled (${key})`
  }
  if (line.length <= MAX_TITLE_LENGTH) return line
  const characters = Array.from(line)
  if (characters.length <= MAX_TITLE_LENGTH) return line
  losses.push('title_cut')
  const cut = characters.slice(0, MAX_TITLE_LENGTH - 1).join('')
  return `${cut.replace(/\s\S{0,40}$/, '')}…`
}

function limitSteps(steps: readonly Step[], losses: LossCode[]): readonly Step[] {
  if (steps.length <= MAX_STEPS) return steps
  losses.push('steps_joined')
  const rest = steps.slice(MAX_STEPS - 1)
  const joined = rest
    .map(({ action, expected }) => (expected === '' ? action : `${action}\n=> ${expected}`))
    .join('\n\n')
  return [...steps.slice(0, MAX_STEPS - 1), { action: joined, expected: '' }]
}

function readTags(tags: readonly string[], losses: LossCode[]): string[] {
  const clean = [...new Set(tags.map(cleanLine).filter((tag) => tag !== ''))]
  const cut = clean
    .map((tag) => (tag.length <= MAX_TAG_LENGTH ? tag : Array.from(tag).slice(0, MAX_TAG_LENGTH).join('')))
    .slice(0, MAX_TAGS)
  if (clean.length > MAX_TAGS || clean.some((tag, index) => index < MAX_TAGS && tag !== cut[index]))
    losses.push('tags_cut')
  return cut
}
