import {
  type ImportRow,
  MAX_AUTOMATION_KEY_LENGTH,
  PRIORITIES,
  type TestCase,
  TEMPLATES,
  TEST_CASE_TYPES,
} from '@caseward/client/endpoints'
import { cleanName } from '@caseward/matching/clean-name'

import { formatSteps, formatTags, parseSteps, parseTags, type Step } from './cell-text.ts'
import { formatEstimate, parseEstimate } from './estimate-text.ts'
import { splitPath } from './folder-tree.ts'
import { formatStepGroups, parseStepGroups } from './step-group-text.ts'
import { checkCount, checkLength, checkSteps, readWord } from './cell-limits.ts'
import { parseLooseSteps } from './loose-steps.ts'

/*
 * The columns of a file, one for each field of a test case. An export, an import, the preview of an import and the words
 * for its errors follow from this table.
 */

/** A test case with the fields of an export. */
export type ListedCase = Pick<
  TestCase,
  | 'id'
  | 'title'
  | 'folder_id'
  | 'priority'
  | 'type'
  | 'precondition'
  | 'steps'
  | 'expected_result'
  | 'tags'
  | 'automation_key'
> &
  Partial<Pick<TestCase, 'automation_keys' | 'owner_id' | 'estimate' | 'template' | 'fields' | 'step_groups'>>

/** What an export knows besides the test cases. */
export interface FileNames {
  readonly getPath: (folderId: string | null) => string
  /** The address or name of an owner. */
  readonly getOwner: (userId: string) => string
}

/** How the cells of a file are read. */
export interface ParseOptions {
  /** Whether steps may be numbered in other ways than an export numbers them. */
  readonly acceptsLooseSteps?: boolean
  /** What separates the folders of a path; other tools write `Checkout > Payment`. */
  readonly folderSeparator?: '/' | '>'
}

/** What a cell says, or what is wrong with it. */
type Cell<Value> = { readonly value: Value } | { readonly errors: readonly string[] }

interface FileColumn<Field extends keyof ImportRow> {
  /** The field of an import. */
  readonly field: Field
  /** What the column contains, within a sentence. */
  readonly name: string
  /** What it is called in a list of columns to choose from, if the name does not say enough. */
  readonly label?: string
  /** Headings of other tools, without capitals and separators. */
  readonly headings: readonly string[]
  readonly write: (testCase: ListedCase, names: FileNames) => string
  readonly read: (text: string, options: ParseOptions) => Cell<Exclude<ImportRow[Field], undefined>>
  /** Whether an empty cell leaves the field as it is. Otherwise it empties the field. */
  readonly isKeptIfEmpty?: boolean
  /** Whether an export has the column only if a cell has a text. */
  readonly isLeftOutIfEmpty?: boolean
}

const define = <const Field extends keyof ImportRow>(column: FileColumn<Field>): FileColumn<Field> => column

const check = <Value>(value: Value, errors: readonly string[]): Cell<Value> =>
  errors.length > 0 ? { errors } : { value }

/* The limits of the server, checked here so that errors name lines of the file. */
const MAX_NAME_LENGTH = 255
const MAX_TEXT_LENGTH = 65_536
const MAX_TAG_LENGTH = 64
const MAX_TAGS = 50
const MAX_FOLDER_DEPTH = 10
const MAX_OWNER_LENGTH = 320

/** What other tools call templates that are the same as ours. */
const OTHER_TEMPLATES: Readonly<Record<string, string>> = { 'test case (steps)': 'steps', 'test case (text)': 'text' }

/** In the order of an export. An import requires only the title, and accepts any order. */
export const fileColumns = {
  id: define({
    field: 'id',
    name: 'ID',
    label: 'ID of an existing test case',
    headings: ['id', 'key', 'case id', 'test case id', 'issue key'],
    write: ({ id }) => id,
    read: (text) => ({ value: text.trim() }),
    isKeptIfEmpty: true,
  }),
  title: define({
    field: 'title',
    name: 'title',
    headings: ['title', 'name', 'summary', 'test case', 'case title', 'test case title', 'test case name', 'scenario'],
    write: ({ title }) => title,
    // Other programs write characters that the server does not accept in names, such as soft hyphens.
    read(text) {
      const title = cleanName(text).trim()
      return check(title, title === '' ? ['the title is empty'] : checkLength('the title', title, MAX_NAME_LENGTH))
    },
  }),
  folder: define({
    field: 'folder_path',
    name: 'folder',
    headings: [
      'folder',
      'folder path',
      'path',
      'section',
      'section hierarchy',
      'suite',
      'test suite',
      'module',
      'area',
    ],
    write: ({ folder_id: id }, { getPath }) => getPath(id),
    read(text, { folderSeparator = '/' }) {
      const names = folderSeparator === '/' ? splitPath(text) : text.split('>')
      const folder = names.map((name) => cleanName(name).trim()).filter((name) => name !== '')
      const tooDeep = `the folder is ${folder.length} levels deep; the maximum is ${MAX_FOLDER_DEPTH}`
      return check(folder, [
        ...folder.flatMap((name) => checkLength('the name of a folder', name, MAX_NAME_LENGTH)),
        ...(folder.length > MAX_FOLDER_DEPTH ? [tooDeep] : []),
      ])
    },
  }),
  priority: define({
    field: 'priority',
    name: 'priority',
    headings: ['priority', 'importance', 'severity'],
    write: ({ priority }) => priority,
    read: (text) => readWord('priority', text, PRIORITIES, 'medium'),
    isKeptIfEmpty: true,
  }),
  type: define({
    field: 'type',
    name: 'type',
    headings: ['type', 'test type', 'case type', 'test case type'],
    write: ({ type }) => type,
    read: (text) => readWord('type', text, TEST_CASE_TYPES, 'functional'),
    isKeptIfEmpty: true,
  }),
  precondition: define({
    field: 'precondition',
    name: 'precondition',
    headings: ['precondition', 'preconditions', 'pre conditions', 'prerequisites', 'setup'],
    write: ({ precondition }) => precondition,
    read: (text) => check(text, checkLength('the precondition', text, MAX_TEXT_LENGTH)),
  }),
  steps: define({
    field: 'steps',
    name: 'steps',
    label: 'Steps, all in one cell',
    headings: ['steps', 'test steps', 'steps to reproduce', 'steps step'],
    write: ({ steps }) => formatSteps(steps),
    read(text, { acceptsLooseSteps = false }) {
      const parsed = parseSteps(text)
      const steps = typeof parsed === 'string' && acceptsLooseSteps ? parseLooseSteps(text) : parsed
      return typeof steps === 'string' ? { errors: [steps] } : readSteps(steps)
    },
  }),
  shared_steps: define({
    field: 'shared_steps',
    name: 'shared steps',
    label: 'Shared steps, such as 2-4 Sign in',
    headings: ['shared steps'],
    write: ({ step_groups: groups = [] }) => formatStepGroups(groups),
    read(text) {
      const groups = parseStepGroups(text)
      return typeof groups === 'string' ? { errors: [groups] } : { value: groups }
    },
    isLeftOutIfEmpty: true,
  }),
  expected_result: define({
    field: 'expected_result',
    name: 'expected result',
    label: 'Expected result of the test case',
    headings: ['expected result', 'expected results', 'expected', 'expected outcome', 'pass criteria'],
    write: ({ expected_result: text }) => text,
    read: (text) => check(text, checkLength('the expected result', text, MAX_TEXT_LENGTH)),
  }),
  tags: define({
    field: 'tags',
    name: 'tags',
    headings: ['tags', 'labels', 'keywords', 'tag', 'label'],
    write: ({ tags }) => formatTags(tags),
    read(text) {
      const tags = parseTags(text)
      return check(tags, [
        ...checkCount('tags', tags, MAX_TAGS),
        ...tags.flatMap((tag) => checkLength('a tag', tag, MAX_TAG_LENGTH)),
      ])
    },
  }),
  automation_key: define({
    field: 'automation_key',
    name: 'automation key',
    headings: ['automation key', 'automation id', 'automated test', 'automated test name'],
    write: ({ automation_key: key }) => key ?? '',
    read(text) {
      const key = text.trim()
      return check(key === '' ? null : key, checkLength('the automation key', key, MAX_AUTOMATION_KEY_LENGTH))
    },
  }),
  owner: define({
    field: 'owner',
    name: 'owner',
    label: 'Owner, by email address or name',
    headings: ['owner', 'case owner', 'test case owner'],
    write: ({ owner_id: id }, { getOwner }) => (id === null || id === undefined ? '' : getOwner(id)),
    read(text) {
      const owner = text.trim()
      return check(owner === '' ? null : owner, checkLength('the owner', owner, MAX_OWNER_LENGTH))
    },
    isLeftOutIfEmpty: true,
  }),
  estimate: define({
    field: 'estimate',
    name: 'estimate',
    label: 'Estimate, such as 1h 30m',
    headings: ['estimate', 'estimated time', 'estimated duration', 'time estimate'],
    write: ({ estimate = null }) => formatEstimate(estimate),
    read(text) {
      const estimate = parseEstimate(text)
      return typeof estimate === 'string' ? { errors: [`the estimate ${estimate}`] } : { value: estimate }
    },
    isLeftOutIfEmpty: true,
  }),
  template: define({
    field: 'template',
    name: 'template',
    label: 'Template: steps or text',
    headings: ['template', 'test case template'],
    // Of a project that uses none of it, a file has no column.
    write: ({ template = 'steps' }) => (template === 'steps' ? '' : template),
    read: (text) => readWord('template', OTHER_TEMPLATES[text.trim().toLowerCase()] ?? text, TEMPLATES, 'steps'),
    isLeftOutIfEmpty: true,
  }),
}

export type Column = keyof typeof fileColumns

/**
 * Fails to compile when a field of an import has no column. A file has only the first automation key, and a column for each custom
 * field of the project (`custom-columns.ts`).
 */
type FieldWithoutColumn = Exclude<keyof ImportRow, (typeof fileColumns)[Column]['field'] | 'automation_keys' | 'fields'>
export type EveryFieldHasAColumn = RequireNever<FieldWithoutColumn>
type RequireNever<Nothing extends never> = Nothing

export const COLUMNS = Object.keys(fileColumns) as readonly Column[]

/** Checks steps, also those that have a row each. */
export const readSteps = (steps: readonly Step[]): Cell<Step[]> => check([...steps], checkSteps(steps, MAX_TEXT_LENGTH))
