import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10

interface ProcessTimes {
  parent: number
  /** Of the process itself and of its children that have ended. */
  cpuMs: number
}

/**
 * Returns the processor time in milliseconds that a process and everything it has started have spent so far. Elsewhere than on
 * Linux, it is that of this process alone.
 */
export function readTreeCpuTime(pid = process.pid): number {
  if (process.platform !== 'linux') return readOwnCpuTime()
  const processes = readProcesses()
  const children = new Map<number, number[]>()
  for (const [id, { parent }] of processes) children.set(parent, [...(children.get(parent) ?? []), id])
  const sumOf = (id: number): number =>
    (children.get(id) ?? []).reduce((sum, child) => sum + sumOf(child), processes.get(id)?.cpuMs ?? 0)
  return sumOf(pid)
}

function readOwnCpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function readProcesses(): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const times = readProcess(name)
    if (times !== undefined) processes.set(Number(name), times)
  }
  return processes
}

function readProcess(name: string): ProcessTimes | undefined {
  let line
  try {
    line = readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    // It has ended in the meantime.
    return undefined
  }
  // The second field, the name of the program, may contain spaces and parentheses; see proc_pid_stat(5).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { parent: Number(fields[1]), cpuMs: ticks * MS_PER_TICK }
}
