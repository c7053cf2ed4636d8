import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the packages lie that users install, by name, as `npm pack` makes them. */
    tarballs: Record<string, string>
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = [
  'client',
  'cli',
  'matching',
  'reporter-core',
  'reporter-cypress',
  'reporter-jest',
  'reporter-mocha',
  'reporter-node-test',
  'reporter-playwright',
  'reporter-vitest',
  'reporter-webdriverio',
]

/** Packs all packages once, built anew: a stale one must never make a test pass. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'caseward-packed-'))
  const run = (command: string, args: string[]) => promisify(execFile)(command, args, { cwd: root })
  // Errors of types are told by `npm run check`; what is emitted comes from these sources all the same.
  await run(join(root, 'node_modules/.bin/tsc'), ['-b', ...packages.map((name) => `packages/${name}`)]).catch(() => {})
  const workspaces = packages.flatMap((name) => ['-w', `packages/${name}`])
  const { stdout } = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    ...workspaces,
  ])
  const packed = Object.values(JSON.parse(stdout) as { name: string; filename: string }[])
  project.provide('tarballs', Object.fromEntries(packed.map(({ name, filename }) => [name, join(folder, filename)])))
  return () => rm(folder, { recursive: true })
}
