import { type CreateTestCaseBody, PRIORITIES, TEST_CASE_TYPES } from '@caseward/client/endpoints'

import { parseSteps, parseTags, type Step } from './cell-text.ts'
import { splitPath } from './folder-paths.ts'
import type { Row } from './test-case-rows.ts'

/** A line of a file as the test case that it is to become. */
export interface NewTestCase {
  readonly line: number
  /** The names of its folders, from the top. */
  readonly folder: readonly string[]
  readonly body: CreateTestCaseBody
}

/* What the server takes; it has the last word. */
const NAME = 255
const LONG = 65_536
const KEY = 500
const TAG = 64
const TAGS = 50
const STEPS = 500
const LEVELS = 10

/** @returns the test case, or everything that is wrong with the line */
export function parseTestCase({ line, texts }: Row): NewTestCase | { wrong: string[] } {
  const wrong: string[] = []
  const title = texts.title.trim()
  const folder = splitPath(texts.folder)
  const steps = parseSteps(texts.steps)
  const tags = parseTags(texts.tags)
  const automationKey = texts.automation_key.trim()
  const [priority, type] = [normalizeWord(texts.priority), normalizeWord(texts.type)]

  if (title === '') wrong.push('the title is empty')
  wrong.push(
    ...tooLong('the title', title, NAME),
    ...folder.flatMap((name) => tooLong('the name of a folder', name, NAME)),
    ...(folder.length > LEVELS ? [`the folder is ${folder.length} levels deep, and ${LEVELS} is the most`] : []),
    ...checkOneOf('the priority', priority, PRIORITIES),
    ...checkOneOf('the type', type, TEST_CASE_TYPES),
    ...tooLong('the precondition', texts.precondition, LONG),
    ...tooLong('the expected result', texts.expected_result, LONG),
    ...(typeof steps === 'string' ? [steps] : wrongSteps(steps)),
    ...(tags.length > TAGS ? [`there are ${tags.length} tags, and ${TAGS} is the most`] : []),
    ...tags.flatMap((tag) => tooLong('a tag', tag, TAG)),
    ...tooLong('the automation key', automationKey, KEY),
    ...(Object.values(texts).some((text) => text.includes('\0')) ? ['there is a NUL character in it'] : []),
  )
  if (wrong.length > 0 || typeof steps === 'string') return { wrong }
  return {
    line,
    folder,
    body: {
      title,
      priority: PRIORITIES.find((one) => one === priority) ?? 'medium',
      type: TEST_CASE_TYPES.find((one) => one === type) ?? 'functional',
      precondition: texts.precondition,
      steps,
      expected_result: texts.expected_result,
      tags,
      automation_key: automationKey === '' ? null : automationKey,
    },
  }
}

/** `End to end` is `end_to_end`. */
const normalizeWord = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

const checkOneOf = (what: string, word: string, words: readonly string[]) =>
  word === '' || words.includes(word) ? [] : [`${what} ${JSON.stringify(word)} is none of ${words.join(', ')}`]

/** The server counts characters, not what they are stored in. */
function tooLong(what: string, text: string, limit: number): string[] {
  if (text.length <= limit) return []
  const length = Array.from(text).length
  return length <= limit ? [] : [`${what} has ${length} characters, and ${limit} is the most`]
}

const wrongSteps = (steps: readonly Step[]): string[] => [
  ...(steps.length > STEPS ? [`there are ${steps.length} steps, and ${STEPS} is the most`] : []),
  ...steps.flatMap(({ action, expected }, index) => [
    ...tooLong(`what to do in step ${index + 1}`, action, LONG),
    ...tooLong(`what is expected in step ${index + 1}`, expected, LONG),
  ]),
]
