import { selectFolders } from '../../folders/folders.queries.ts'
import { formatTestCaseId } from '../../test-cases/test-case-ids.ts'
import { CASE_JSON, type CaseRow } from './case-sql.ts'
import type { TableSource } from './write-tables.ts'
import { createNamePaths } from './write-testrail-csv.ts'
import type { ZipEntry } from './zip-stream.ts'

/**
 * A feature for each folder that has test cases of its own, with a scenario for each of them. Steps that are written as Gherkin stay
 * so; of others, the action is a step that begins with `*`, and its expected result one with `Then`.
 */
export async function* listFeatures({ snapshot, project, cases }: TableSource): AsyncGenerator<ZipEntry> {
  const folders = await selectFolders(snapshot.db, project.id)
  const { getPath } = createNamePaths(folders)
  const taken = new Set<string>()
  for (const folder of [...folders.toSorted((a, b) => (a.id < b.id ? -1 : 1)), null]) {
    const condition = folder === null ? 'c.folder_id is null' : `c.folder_id = $${cases.values.length + 2}`
    const values = [project.id, ...cases.values, ...(folder === null ? [] : [folder.id])]
    const batches = snapshot.read<CaseRow>(
      `select ${CASE_JSON} from test_cases c where c.project_id = $1 and ${cases.sql} and ${condition} order by c.number`,
      values,
    )
    const first = await batches.next()
    if (first.done === true) continue
    const path = folder === null ? [project.name] : getPath(folder.id)
    yield {
      name: `${toFileName(path, taken)}.feature`,
      content: writeFeature(path.at(-1) ?? project.name, project.prefix, first.value, batches),
    }
  }
}

async function* writeFeature(
  name: string,
  prefix: string,
  first: CaseRow[],
  rest: AsyncGenerator<CaseRow[]>,
): AsyncGenerator<string> {
  yield `Feature: ${toLine(name)}\n`
  yield first.map((row) => formatScenario(row, prefix)).join('')
  for await (const rows of rest) yield rows.map((row) => formatScenario(row, prefix)).join('')
}

const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** A tag has no blanks. */
const toTag = (text: string): string => `@${text.replaceAll(/[\s@#]+/g, '_')}`

function formatScenario(
  { number, title, tags, precondition, steps, expected_result: expected }: CaseRow,
  prefix: string,
) {
  const lines = [
    '',
    `  ${[formatTestCaseId(prefix, number), ...tags].map(toTag).join(' ')}`,
    `  Scenario: ${toLine(title)}`,
    ...(precondition.trim() === '' ? [] : formatStep('Given', precondition)),
    ...steps.flatMap(({ action, expected: stepExpected }) => [
      ...(action.trim() === '' ? [] : formatStep('*', action)),
      ...(stepExpected.trim() === '' ? [] : formatStep('Then', stepExpected)),
    ]),
    ...(expected.trim() === '' ? [] : formatStep('Then', expected)),
  ]
  return `${lines.join('\n')}\n`
}

const KEYWORD = /^(?:Given|When|Then|And|But|\*)\s/

/** A step of one line. Further lines are a text of the step, unless they are a table or a text already. */
function formatStep(keyword: string, text: string): string[] {
  const [first = '', ...rest] = text.trim().split(/\r\n?|\n/)
  const line = `    ${KEYWORD.test(first) ? first.trim() : `${keyword} ${first.trim()}`}`
  if (rest.length === 0) return [line]
  const isArgument = /^\s*(?:\||"""|```)/.test(rest[0] ?? '')
  if (isArgument) return [line, ...rest.map((more) => `      ${more.trim()}`)]
  return [line, '      """', ...rest.map((more) => `      ${more.replaceAll('"""', String.raw`\"\"\"`)}`), '      """']
}

/** Folders are directories. Two folders with the same path have different files. */
function toFileName(path: readonly string[], taken: Set<string>): string {
  const name = path
    .map(
      (part) =>
        part
          .replaceAll(/[^\p{L}\p{N} _-]+/gu, '_')
          .trim()
          .slice(0, 100) || '_',
    )
    .join('/')
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (taken.has(candidate.toLowerCase())) continue
    taken.add(candidate.toLowerCase())
    return candidate
  }
}
