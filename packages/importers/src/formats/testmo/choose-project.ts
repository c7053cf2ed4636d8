import { ImportProblem } from '../../import-problem.ts'
import type { ReadContext } from '../format.ts'
import { type Datasets, isOn, type JsonRow, toText } from './testmo-datasets.ts'

/** Columns of rows without a project that name the row whose project they have, and its dataset. The first that is filled decides. */
const OWNERS: ReadonlyMap<string, readonly (readonly [column: string, dataset: string])[]> = new Map([
  ['repository_case_steps', [['case_id', 'repository_cases']]],
  ['repository_case_values', [['case_id', 'repository_cases']]],
  [
    'run_tests',
    [
      ['run_id', 'runs'],
      ['case_id', 'repository_cases'],
    ],
  ],
  [
    'run_results',
    [
      ['run_id', 'runs'],
      ['test_id', 'run_tests'],
      ['case_id', 'repository_cases'],
    ],
  ],
  ['run_result_steps', [['result_id', 'run_results']]],
])

/** What rows of a dataset are to people, where its name does not say it. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['repository_cases', 'test_cases'],
  ['repository_folders', 'folders'],
  ['repository_case_steps', 'steps'],
  ['repository_case_values', 'field_values'],
  ['run_tests', 'tests_in_runs'],
  ['run_results', 'results'],
  ['run_result_steps', 'results_of_steps'],
  ['configs', 'configurations'],
])

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
 * Returns what a file says of one project: of several the chosen one, else the first one. What it says of the others is counted.
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
  if (ids.length > 1) {
    context.ask({
      id: 'project',
      sentence: 'The file has several projects. Which one is imported?',
      options: options.slice(0, MAX_OPTIONS),
      default: toOption(first),
    })
  }
  return keepProject(datasets, project, toOption, context)
}

/** Leaves out the rows of other projects with what belongs to them, and counts each kind by project. */
function keepProject(
  datasets: Datasets,
  project: string,
  toName: (id: string) => string,
  { losses }: ReadContext,
): Datasets {
  const hasOthers = [...datasets.values()].some((rows) =>
    rows.some((row) => ![project, ''].includes(toText(row['project_id']))),
  )
  if (!hasOthers) return datasets
  const findProject = createProjectFinder(datasets)
  return new Map(
    [...datasets].map(([name, rows]) => {
      const others = new Map<string, number>()
      const kept = rows.filter((row) => {
        const id = findProject(name, row)
        if (id === '' || id === project) return true
        if (!isOn(row['is_deleted'])) others.set(id, (others.get(id) ?? 0) + 1)
        return false
      })
      const code = `not_imported:${WORDS.get(name) ?? name}_of_other_projects` as const
      for (const [id, count] of others) losses.add(code, { title: toName(id) }, count)
      return [name, kept]
    }),
  )
}

/** Creates what returns the project of a row. It is empty for what belongs to none, such as people. */
function createProjectFinder(datasets: Datasets): (name: string, row: JsonRow) => string {
  const projects = new Map<string, Map<string, string>>()
  function getProjects(name: string): Map<string, string> {
    const known = projects.get(name)
    if (known !== undefined) return known
    const found = new Map((datasets.get(name) ?? []).map((row) => [toText(row['id']), find(name, row)]))
    projects.set(name, found)
    return found
  }
  function find(name: string, row: JsonRow): string {
    const own = toText(row['project_id'])
    if (own !== '') return own
    for (const [column, owner] of OWNERS.get(name) ?? []) {
      const id = toText(row[column])
      const project = id === '' ? '' : (getProjects(owner).get(id) ?? '')
      if (project !== '') return project
    }
    return ''
  }
  return find
}
