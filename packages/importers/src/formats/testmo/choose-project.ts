import type { ReadContext } from '../format.ts'
import { type Datasets, type JsonRow, toText } from './testmo-datasets.ts'

/** What belongs to a row of another dataset that may be of another project. */
const OWNERS = [
  ['repository_case_steps', 'case_id', 'repository_cases'],
  ['repository_case_values', 'case_id', 'repository_cases'],
  ['run_tests', 'run_id', 'runs'],
  ['run_results', 'test_id', 'run_tests'],
] as const

/**
 * Returns what a file says of one project: of several the chosen one, else the first one. The test cases of the others are counted.
 * @param chosen the name of the project, or its id without one
 */
export function chooseProject(datasets: Datasets, chosen: string | undefined, context: ReadContext): Datasets {
  const cases = datasets.get('repository_cases') ?? []
  const ids = [...new Set(cases.map((row) => toText(row['project_id'])))].filter((id) => id !== '')
  const [first] = ids
  if (first === undefined || ids.length === 1) return datasets
  const named = new Map((datasets.get('projects') ?? []).map((row) => [toText(row['id']), toText(row['name'])]))
  // Two projects of one name are told apart by their ids.
  const all = ids.map((id) => named.get(id) ?? '')
  const toOption = (id: string) => {
    const name = named.get(id) ?? ''
    return name === '' || all.filter((other) => other === name).length > 1 ? `${name} ${id}`.trim() : name
  }
  context.ask({
    id: 'project',
    sentence: 'The file has several projects. Which one is imported?',
    options: ids.map(toOption),
    default: toOption(first),
  })
  const project = ids.find((id) => toOption(id) === chosen) ?? first
  for (const id of ids) {
    if (id === project) continue
    const count = cases.filter((row) => toText(row['project_id']) === id).length
    context.losses.add('not_imported:test_cases_of_other_projects', { title: toOption(id) }, count)
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
