import { ImportProblem } from '../../import-problem.ts'
import type { ReadContext } from '../format.ts'
import { type Datasets, type JsonRow, toText } from './testmo-datasets.ts'

/** What belongs to a row of another dataset that may be of another project. */
const OWNERS = [
  ['repository_case_steps', 'case_id', 'repository_cases'],
  ['repository_case_values', 'case_id', 'repository_cases'],
  ['run_tests', 'run_id', 'runs'],
  ['run_results', 'test_id', 'run_tests'],
] as const

/** In a message. */
const MAX_NAMED = 20
/** In the list to choose from. Others can be chosen by their names. */
const MAX_OPTIONS = 1000

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/**
 * Returns what a file says of one project: of several the chosen one, else the first one. The test cases of the others are counted.
 * @param chosen the name of the project, or its id without one
 * @throws {ImportProblem} `unknown_project` when the file does not have the chosen one: another one must not be imported in its place
 */
export function chooseProject(datasets: Datasets, chosen: string | undefined, context: ReadContext): Datasets {
  const counts = countBy((datasets.get('repository_cases') ?? []).map((row) => toText(row['project_id'])))
  counts.delete('')
  const ids = [...counts.keys()]
  const [first] = ids
  if (first === undefined) return datasets
  const names = new Map((datasets.get('projects') ?? []).map((row) => [toText(row['id']), toText(row['name'])]))
  // Two projects of one name are told apart by their ids.
  const sameName = countBy(ids.map((id) => names.get(id) ?? ''))
  const toOption = (id: string) => {
    const name = names.get(id) ?? ''
    return name === '' || (sameName.get(name) ?? 0) > 1 ? `${name} ${id}`.trim() : name
  }
  const options = ids.map(toOption)
  const project = chosen === undefined ? first : ids[options.indexOf(chosen)]
  if (project === undefined) {
    const some = options.slice(0, MAX_NAMED).map((option) => `"${option}"`)
    const rest = options.length > MAX_NAMED ? ` and ${options.length - MAX_NAMED} more` : ''
    throw new ImportProblem(
      'unknown_project',
      `The file has no project "${chosen}". Its projects are ${some.join(', ')}${rest}.`,
    )
  }
  if (ids.length === 1) return datasets
  context.ask({
    id: 'project',
    sentence: 'The file has several projects. Which one is imported?',
    options: options.slice(0, MAX_OPTIONS),
    default: toOption(first),
  })
  for (const [id, count] of counts) {
    if (id !== project) context.losses.add('not_imported:test_cases_of_other_projects', { title: toOption(id) }, count)
  }
  return keepProject(datasets, project)
}

/** Leaves out the rows of other projects, and what belongs to them. */
function keepProject(datasets: Datasets, project: string): Datasets {
  const isKept = (row: JsonRow) => {
    const id = toText(row['project_id'])
    return id === '' || id === project
  }
  const kept = new Map([...datasets].map(([name, rows]) => [name, rows.filter(isKept)]))
  for (const [name, reference, owner] of OWNERS) {
    const left = new Set((kept.get(owner) ?? []).map((row) => toText(row['id'])))
    const gone = new Set((datasets.get(owner) ?? []).map((row) => toText(row['id'])).filter((id) => !left.has(id)))
    const rows = kept.get(name)
    if (rows !== undefined && gone.size > 0) {
      kept.set(
        name,
        rows.filter((row) => !gone.has(toText(row[reference]))),
      )
    }
  }
  return kept
}
