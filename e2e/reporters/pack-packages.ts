import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { servePrepared } from '@caseward/test-support/serve-prepared'
import type { TestProject } from 'vitest/node'

import { openInstallationCache } from './installation-cache.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file gets the packed packages; see `packed-packages.ts`. */
    packedPackagesUrl: string
  }
}

/** The packages as they are published, and where frameworks are installed. */
export interface PackedPackages {
  /** Paths of the tarballs of `npm pack`, by package name. */
  tarballs: Record<string, string>
  /** The directory with what each tarball contains, by package name. */
  unpacked: string
  /** The directory in which each manifest is installed once for all tests, and for those of the next days. */
  installations: string
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

/** Builds, packs and unpacks all packages once, so that a stale build can never make a test pass. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'caseward-packed-'))
  const prepared = await servePrepared(() => packPackages(folder))
  project.provide('packedPackagesUrl', prepared.url)
  return async () => {
    await prepared.close().catch(() => {})
    await rm(folder, { recursive: true })
  }
}

async function packPackages(folder: string): Promise<PackedPackages> {
  const run = (command: string, args: string[]) => promisify(execFile)(command, args, { cwd: root })
  // Type errors are ignored here: `npm run check` reports them, and tsc emits the sources nevertheless.
  await run(join(root, 'node_modules/.bin/tsc'), [
    '-b',
    ...packages.filter((name) => name !== 'caseward').map((name) => `packages/${name}`),
  ]).catch(() => {})
  await run(process.execPath, ['scripts/bundle-packages.mjs'])
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
  const tarballs = Object.fromEntries(packed.map(({ name, filename }) => [name, join(folder, filename)]))
  const unpacked = join(folder, 'unpacked')
  for (const [name, tarball] of Object.entries(tarballs)) {
    await mkdir(join(unpacked, name), { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', join(unpacked, name), '--strip-components=1'])
  }
  return { tarballs, unpacked, installations: await openInstallationCache() }
}
