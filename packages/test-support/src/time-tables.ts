import type { TestModule } from 'vitest/node'

import type { FileTimes } from './record-times.ts'

interface Times {
  wallMs: number
  cpuMs: number
}

interface Row extends Times {
  name: string
  count: number
  assertions?: number
}

/**
 * Formats the times of a run as three tables: by group, by step and by file. The processes that files share, such as PostgreSQL
 * and Vitest itself, are what the files leave of the processor time of the run.
 */
export function formatTimes(modules: readonly TestModule[], run: Times): string[] {
  const files = modules.flatMap((module) => {
    const { times } = module.meta()
    const count = [...module.children.allTests()].length
    return times === undefined ? [] : [{ name: module.relativeModuleId, group: getGroup(module), count, ...times }]
  })
  const cpuMs = files.reduce((sum, file) => sum + file.cpuMs, 0)
  const shared = { name: '(PostgreSQL, Vitest, preparations)', count: 0, cpuMs: run.cpuMs - cpuMs, wallMs: 0 }
  const total = { name: '(whole run)', count: files.reduce((sum, { count }) => sum + count, 0), ...run }
  return [
    ...formatTable('group', 'tests', [...addUp(files, ({ group }) => group), shared, total]),
    '',
    ...formatTable('step', 'times', addUpSteps(files)),
    '',
    ...formatTable('file', 'tests', files.toSorted(byCpuTime)),
  ]
}

/** Returns where a test file is: the first two directories, and for the server what is in them, such as `server: features`. */
function getGroup({ relativeModuleId }: TestModule): string {
  const [top = '', name = '', ...rest] = relativeModuleId.split('/')
  if (name !== 'server') return top === 'packages' ? top : `${top}: ${name}`
  const [folder = '', inSource = ''] = rest
  return `server: ${folder === 'src' && rest.length > 2 ? inSource : folder}`
}

const byCpuTime = (a: Times, b: Times) => b.cpuMs - a.cpuMs

function addUp<T extends Row>(rows: readonly T[], getName: (row: T) => string): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const name = getName(row)
    const sum = sums.get(name) ?? { name, count: 0, wallMs: 0, cpuMs: 0, assertions: 0 }
    sums.set(name, {
      name,
      count: sum.count + row.count,
      wallMs: sum.wallMs + row.wallMs,
      cpuMs: sum.cpuMs + row.cpuMs,
      assertions: (sum.assertions ?? 0) + (row.assertions ?? 0),
    })
  }
  return [...sums.values()].toSorted(byCpuTime)
}

function addUpSteps(files: readonly FileTimes[]): Row[] {
  const steps = files.flatMap((file) => Object.entries(file.steps).map(([name, step]) => ({ name, ...step })))
  return addUp(steps, ({ name }) => name)
}

function formatTable(title: string, countTitle: string, rows: readonly Row[]): string[] {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const cells = [
    ['CPU s', 'wall s', countTitle, 'assertions', title],
    ...rows.map(({ name, count, wallMs, cpuMs, assertions = 0 }) => [
      seconds(cpuMs),
      wallMs === 0 ? '' : seconds(wallMs),
      count === 0 ? '' : String(count),
      assertions === 0 ? '' : String(assertions),
      name,
    ]),
  ]
  return cells.map((row) => row.map((cell, column) => (column === 4 ? cell : cell.padStart(10))).join('  '))
}
