import {
  type CreateTestCaseBody,
  MAX_AUTOMATION_KEY_LENGTH,
  PRIORITIES,
  TEST_CASE_TYPES,
} from '@caseward/client/endpoints'
import { cleanName } from '@caseward/matching/clean-name'

import { splitPath } from './folder-tree.ts'
import { parseSteps, parseTags, type Step } from './cell-text.ts'
import { parseLooseSteps } from './loose-steps.ts'
import type { Row } from './test-case-rows.ts'

/** A test case to create, or to update. */
export interface NewTestCase {
  readonly line: number
  /** The id in the file; empty if there is none. */
  readonly id: string
  /** The names of its folders, from the top level down. */
  readonly folder: readonly string[]
  readonly body: CreateTestCaseBody
}

/* The limits of the server, checked here so that errors name lines of the file. */
const MAX_NAME_LENGTH = 255
const MAX_TEXT_LENGTH = 65_536
const MAX_TAG_LENGTH = 64
const MAX_TAGS = 50
const MAX_STEPS = 500
const MAX_FOLDER_DEPTH = 10

/** How the cells of a file are read. */
export interface ParseOptions {
  /** Whether steps may be numbered in other ways than an export numbers them. */
  readonly acceptsLooseSteps?: boolean
  /** What separates the folders of a path; other tools write `Checkout > Payment`. */
  readonly folderSeparator?: '/' | '>'
}

/** @returns the test case, or every error in the line */
export function parseTestCase(
  { line, texts, steps: givenSteps }: Row,
  { acceptsLooseSteps = false, folderSeparator = '/' }: ParseOptions = {},
): NewTestCase | { errors: string[] } {
  // Other programs write characters that the server does not accept in names, such as soft hyphens.
  const title = cleanName(texts.title).trim()
  const names = folderSeparator === '/' ? splitPath(texts.folder) : texts.folder.split('>')
  const folder = names.map((name) => cleanName(name).trim()).filter((name) => name !== '')
  const steps = givenSteps ?? readSteps(texts.steps, acceptsLooseSteps)
  const tags = parseTags(texts.tags)
  const automationKey = texts.automation_key.trim()
  const [priority, type] = [normalizeWord(texts.priority), normalizeWord(texts.type)]

  const errors = [
    ...(title === '' ? ['the title is empty'] : []),
    ...checkLength('the title', title, MAX_NAME_LENGTH),
    ...folder.flatMap((name) => checkLength('the name of a folder', name, MAX_NAME_LENGTH)),
    ...(folder.length > MAX_FOLDER_DEPTH
      ? [`the folder is ${folder.length} levels deep; the maximum is ${MAX_FOLDER_DEPTH}`]
      : []),
    ...checkWord('priority', priority, PRIORITIES),
    ...checkWord('type', type, TEST_CASE_TYPES),
    ...checkLength('the precondition', texts.precondition, MAX_TEXT_LENGTH),
    ...checkLength('the expected result', texts.expected_result, MAX_TEXT_LENGTH),
    ...(typeof steps === 'string' ? [steps] : checkSteps(steps)),
    ...checkCount('tags', tags, MAX_TAGS),
    ...tags.flatMap((tag) => checkLength('a tag', tag, MAX_TAG_LENGTH)),
    ...checkLength('the automation key', automationKey, MAX_AUTOMATION_KEY_LENGTH),
    ...(Object.values(texts).some((text) => text.includes('\0')) ? ['the line contains a NUL character'] : []),
  ]
  if (errors.length > 0 || typeof steps === 'string') return { errors }
  return {
    line,
    id: texts.id.trim(),
    folder,
    body: {
      title,
      priority: PRIORITIES.find((value) => value === priority) ?? 'medium',
      type: TEST_CASE_TYPES.find((value) => value === type) ?? 'functional',
      precondition: texts.precondition,
      steps: [...steps],
      expected_result: texts.expected_result,
      tags,
      automation_key: automationKey === '' ? null : automationKey,
    },
  }
}

function readSteps(cell: string, acceptsLooseSteps: boolean): Step[] | string {
  const steps = parseSteps(cell)
  return typeof steps === 'string' && acceptsLooseSteps ? parseLooseSteps(cell) : steps
}

/** Reads `End to end` as `end_to_end`. */
const normalizeWord = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

const checkWord = (field: string, word: string, words: readonly string[]) =>
  word === '' || words.includes(word)
    ? []
    : [`unknown ${field} ${JSON.stringify(word)}; the values are ${words.join(', ')}`]

/** Counts characters as the server does, not UTF-16 code units. */
function checkLength(field: string, text: string, limit: number): string[] {
  if (text.length <= limit) return []
  const length = Array.from(text).length
  return length <= limit ? [] : [`${field} has ${length} characters; the maximum is ${limit}`]
}

const checkCount = (items: string, list: readonly unknown[], limit: number) =>
  list.length > limit ? [`the line has ${list.length} ${items}; the maximum is ${limit}`] : []

const checkSteps = (steps: readonly Step[]): string[] => [
  ...checkCount('steps', steps, MAX_STEPS),
  ...steps.flatMap(({ action, expected }, index) => [
    ...checkLength(`the action of step ${index + 1}`, action, MAX_TEXT_LENGTH),
    ...checkLength(`the expected result of step ${index + 1}`, expected, MAX_TEXT_LENGTH),
  ]),
]
