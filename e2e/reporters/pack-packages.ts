import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Paths of the tarballs of `npm pack`, by package name. */
    tarballs: Record<string, string>
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = [
  'client',
  'case-files',
  'caseward',
  'ci-run',
  'cli',
  'junit',
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

/** Builds and packs all packages once, so that a stale build can never make a test pass. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'caseward-packed-'))
  const run = (command: string, args: string[]) => promisify(execFile)(command, args, { cwd: root })
  // Type errors are ignored here: `npm run check` reports them, and tsc emits the sources nevertheless.
  await run(join(root, 'node_modules/.bin/tsc'), [
    '-b',
    ...packages.filter((name) => name !== 'caseward').map((name) => `packages/${name}`),
  ]).catch(() => {})
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
  const installations = await mkdtemp(join(tmpdir(), 'caseward-installations-'))
  project.provide('installations', installations)
  return async () => {
    await Promise.all([folder, installations].map((path) => rm(path, { recursive: true })))
  }
}
