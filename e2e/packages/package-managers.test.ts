import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { useTestServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createScenario } from '../reporters/scenario.ts'
import { type LocalRegistry, root, startLocalRegistry } from './local-registry.ts'
import { runCommand, runOrThrow } from './run-command.ts'

/* Each package manager arranges packages in its own way; pnpm and Yarn's Plug'n'Play find only declared dependencies. */

const server = useTestServer()
const tools = ['pnpm@10.34.8', 'yarn@1.22.22', '@yarnpkg/cli-dist@4.18.1']

let registry: LocalRegistry
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'caseward-managers-'))
  const toolOptions = ['--prefix', join(directory, 'tools'), '--no-bin-links', '--no-audit', '--no-fund']
  const publish = async () => {
    registry = await startLocalRegistry()
    const release = ['scripts/release.mjs', '--rehearse', '--registry', registry.url]
    await runOrThrow('node', release, { cwd: root, env: registry.env })
  }
  await Promise.all([publish(), runOrThrow('npm', ['install', ...toolOptions, ...tools], { cwd: directory })])
})
afterAll(async () => {
  await registry.stop()
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})

interface PackageManager {
  readonly name: string
  /** The program, in the directory of tools unless npm brings it. */
  readonly program: readonly string[]
  readonly install: readonly string[]
  /** Runs a command of an installed package. */
  readonly exec: readonly string[]
  readonly env?: (folder: string) => Record<string, string>
}

const getTool = (path: string) => ['node', join('..', 'tools/node_modules', path)]

const managers: readonly PackageManager[] = [
  {
    name: 'npm',
    program: ['npm'],
    install: ['install', '--save-dev', '--no-audit', '--no-fund'],
    exec: ['exec', '--'],
  },
  {
    name: 'pnpm',
    program: getTool('pnpm/bin/pnpm.cjs'),
    install: ['add', '--save-dev'],
    exec: ['exec'],
    env: (folder) => ({ npm_config_store_dir: join(folder, '.store') }),
  },
  {
    name: 'Yarn 1',
    program: getTool('yarn/bin/yarn.js'),
    install: ['add', '--dev', '--no-lockfile'],
    exec: ['run', '--silent'],
    env: (folder) => ({ YARN_CACHE_FOLDER: join(folder, '.cache') }),
  },
  {
    name: "Yarn Berry with Plug'n'Play",
    program: getTool('@yarnpkg/cli-dist/bin/yarn.js'),
    install: ['add', '--dev'],
    exec: ['run'],
    env: (folder) => ({
      YARN_NPM_REGISTRY_SERVER: registry.url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_GLOBAL_FOLDER: join(folder, '.yarn-global'),
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      YARN_ENABLE_TELEMETRY: 'false',
      // Versions that were published a moment ago are refused otherwise.
      YARN_NPM_MINIMAL_AGE_GATE: '0',
    }),
  },
]

const manifest = {
  name: 'shop',
  type: 'module',
  private: true,
  scripts: { test: 'node --test --test-reporter=@caseward/node-test --test-reporter-destination=stdout' },
}

describe.each(managers)('the packages, installed with $name', ({ name, program, install, exec, env }) => {
  it('contain the command and a reporter that work', async () => {
    const folder = join(directory, name.replaceAll(/\W/g, ''))
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'yarn.lock'), '')
    await writeFile(join(folder, 'a.test.js'), "import { test } from 'node:test'\ntest('WEB-1 works', () => {})\n")
    const scenario = await createScenario(server, 1)
    const options = { cwd: folder, env: { ...registry.env, ...env?.(folder), ...scenario.env } }
    const [command = '', ...args] = program
    const run = (...words: string[]) => runCommand(command, [...args, ...words], options)

    await runOrThrow(command, [...args, ...install, 'caseward', '@caseward/node-test'], options)
    expect(await run(...exec, 'caseward', '--version')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
    expect(await run('run', 'test')).toMatchObject({ exitCode: 0 })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed' })
  })
})
