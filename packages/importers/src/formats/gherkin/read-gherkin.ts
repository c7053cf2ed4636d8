import { AstBuilder, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import {
  type Background,
  type Comment,
  type FeatureChild,
  IdGenerator,
  type RuleChild,
  type Scenario,
  type Tag,
} from '@cucumber/messages'

import { ImportProblem } from '../../import-problem.ts'
import { createCase, type ImportRecord, type LinkRecord } from '../../records.ts'
import type { Folders } from '../folders.ts'

const KEY = /^@(?:TEST_|TestName:)?([A-Z][A-Z0-9_]{1,20}-\d{1,9}|C\d{1,9})$/
const TMS_LINK = /^@(?:TmsLink=|tms:)(.{1,100})$/i
const NO_KEY = /^@(?:REQ_|Requirement:|Precondition:|TestSet:)/i
const REQUIREMENT = /^@(?:REQ_|Requirement:)(.{1,100})$/i
const PRIORITIES = new Set(['critical', 'high', 'medium', 'low', 'blocker', 'major', 'minor'])

/**
 * Reads a file of Gherkin: a folder for the feature, one for each rule, a case for each scenario. A scenario keeps its source,
 * with the background.
 * @throws {ImportProblem}
 */
export function* readGherkin(
  source: string,
  file: string,
  folderPath: readonly string[],
  folders: Folders,
): Generator<ImportRecord> {
  const { feature, comments } = parse(source, file)
  if (feature === undefined) return
  const lines = source.split(/\r\n|\r|\n/)
  const path = [...folderPath, feature.name.trim() || file]
  function* readScenarios(
    children: readonly (FeatureChild | RuleChild)[],
    place: readonly string[],
    tags: readonly Tag[],
    outer: readonly Background[],
  ): Generator<ImportRecord> {
    const backgrounds = [...outer, ...children.flatMap(({ background }) => background ?? [])]
    const { records, key } = folders.add(place)
    yield* records
    for (const child of children) {
      if ('rule' in child && child.rule !== undefined) {
        const name = child.rule.name.trim() || 'Rule'
        yield* readScenarios(child.rule.children, [...place, name], [...tags, ...child.rule.tags], backgrounds)
      } else if (child.scenario !== undefined) {
        const own = [
          ...child.scenario.tags.map(({ name }) => name),
          ...readCommentTags(child.scenario, comments, lines),
        ]
        yield toCase(
          child.scenario,
          [...tags.map(({ name }) => name), ...own],
          own,
          backgrounds,
          lines,
          key,
          folders.next(key),
          feature?.name ?? '',
        )
      }
    }
  }
  yield* readScenarios(feature.children, path, feature.tags, [])
}

function parse(source: string, file: string) {
  try {
    return new Parser(new AstBuilder(IdGenerator.incrementing()), new GherkinClassicTokenMatcher()).parse(source)
  } catch (error) {
    const reason =
      error instanceof Error ? (error.message.split('\n').find((line) => line.startsWith('(')) ?? error.message) : ''
    throw new ImportProblem('unreadable_file', `"${file}" is no valid Gherkin: ${reason.slice(0, 300)}`, {
      cause: error,
    })
  }
}

/** Tags in comments directly above a scenario: `#@TEST_CALC-12`. */
function readCommentTags(
  { location, tags }: Scenario,
  comments: readonly Comment[],
  lines: readonly string[],
): string[] {
  const known = new Set(comments.map((comment) => comment.location.line))
  const found: string[] = []
  const first = Math.min(location.line, ...tags.map((tag) => tag.location.line))
  for (let line = first - 1; known.has(line); line--) {
    const text = (lines[line - 1] ?? '').trim()
    if (!text.startsWith('#@') && !text.startsWith('# @')) break
    found.push(
      ...text
        .slice(1)
        .trim()
        .split(/\s+/)
        .filter((tag) => tag.startsWith('@')),
    )
  }
  return found
}

function toCase(
  scenario: Scenario,
  tags: readonly string[],
  own: readonly string[],
  backgrounds: readonly Background[],
  lines: readonly string[],
  folder: string | null,
  position: number,
  feature: string,
) {
  const key = own
    .map((tag) => (NO_KEY.test(tag) ? null : ((KEY.exec(tag) ?? TMS_LINK.exec(tag))?.[1] ?? null)))
    .find((id) => id !== null)
  const words = tags.map((tag) => tag.slice(1))
  const priority = words.find((tag) => PRIORITIES.has(tag.toLowerCase()))
  const getStart = ({ location, tags: marks }: Scenario) =>
    Math.min(location.line, ...marks.map((tag) => tag.location.line))
  const lastLine = Math.max(
    scenario.location.line,
    ...scenario.steps.flatMap(({ location, docString, dataTable }) => [
      location.line,
      ...(docString === undefined ? [] : [docString.location.line + docString.content.split('\n').length + 1]),
      ...(dataTable?.rows.map((row) => row.location.line) ?? []),
    ]),
    ...scenario.examples.flatMap(({ location, tableBody }) => [
      location.line,
      location.line + 1,
      ...tableBody.map((row) => row.location.line),
    ]),
  )
  const source = dedent(lines.slice(getStart(scenario) - 1, lastLine))
  const background = backgrounds
    .flatMap(({ steps }) => steps)
    .map(({ keyword, text }) => `${keyword.trim()} ${text}`)
    .join('\n')
  return createCase({
    key: key ?? null,
    title: scenario.name.trim(),
    folder,
    position,
    template: 'gherkin',
    markup: 'plain',
    descriptions: [{ heading: 'Background', text: background }],
    precondition: dedent(scenario.description.split('\n')),
    steps: scenario.steps.map(({ keyword, text, docString, dataTable }) => ({
      action: [
        `${keyword.trim()} ${text}`,
        ...(docString === undefined ? [] : [`"""\n${docString.content}\n"""`]),
        ...(dataTable?.rows.map((row) => `| ${row.cells.map(({ value }) => value).join(' | ')} |`) ?? []),
      ].join('\n'),
      expected: '',
    })),
    ...(priority !== undefined && { priority }),
    tags: words.filter(
      (tag) => tag !== priority && !NO_KEY.test(`@${tag}`) && !(KEY.test(`@${tag}`) || TMS_LINK.test(`@${tag}`)),
    ),
    automation_keys: [`${feature.trim()} ${scenario.name.trim()}`.trim()],
    fields: { Gherkin: source },
    links: tags.flatMap((tag): LinkRecord[] => {
      const target = REQUIREMENT.exec(tag)?.[1]
      return target === undefined ? [] : [{ target, kind: 'requirement' }]
    }),
    data_set: readExamples(scenario),
  })
}

function readExamples({ examples }: Scenario) {
  const first = examples.find(({ tableHeader }) => tableHeader !== undefined)
  if (first?.tableHeader === undefined) return null
  const columns = first.tableHeader.cells.map(({ value }) => value)
  const rows = examples
    .filter(({ tableHeader }) => tableHeader?.cells.map(({ value }) => value).join('|') === columns.join('|'))
    .flatMap(({ tableBody }) => tableBody.map(({ cells }) => cells.map(({ value }) => value)))
  return { columns, rows }
}

function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents, 1000)
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trim()
}
