import { readdir, readlink, rm } from 'node:fs/promises'

import { onTestFinished } from 'vitest'

import { run } from '@caseward/embedded-postgres/run-program'
import { createUnmanagedDirectory } from './unmanaged-directory.ts'

/** Creates a directory for one test. After the test it is removed, and processes that still run in it fail the test. */
export async function createTemporaryDirectory(purpose?: 'programs'): Promise<string> {
  const directory = await createUnmanagedDirectory(purpose)
  onTestFinished(async () => {
    const pids = await findProcessesIn(directory)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    if (pids.length > 0) throw new Error(`processes ${pids.join(', ')} were left running`)
  })
  return directory
}

/** Finds the processes whose working directory is below `directory`; PostgreSQL's is its data directory. */
export async function findProcessesIn(directory: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('pgrep', ['-f', directory])
    return stdout.split('\n').filter(Boolean).map(Number)
  }
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const workingDirectories = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => workingDirectories[index]?.startsWith(`${directory}/`))
}
