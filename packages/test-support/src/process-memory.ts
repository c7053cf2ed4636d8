import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const KB_PER_MB = 1024

/**
 * Measures the resident memory of another process, in MB.
 * @returns what it has now, and a function that reads the maximum since then. Only Linux knows a maximum: elsewhere, it is
 * the value of that moment
 */
export async function watchMemory(pid: number): Promise<{ startMb: number; readPeakMb(): Promise<number> }> {
  if (process.platform !== 'linux') return { startMb: await askForMemory(pid), readPeakMb: () => askForMemory(pid) }
  // Starts to measure the maximum anew (`man 5 proc`).
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  return { startMb: await readStatus(pid, 'VmRSS'), readPeakMb: () => readStatus(pid, 'VmHWM') }
}

async function readStatus(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / KB_PER_MB
}

async function askForMemory(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / KB_PER_MB
}
