import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type LocalRegistry, root, startLocalRegistry } from './local-registry.ts'
import { runCommand, runOrThrow } from './run-command.ts'

describe('npm run release, as a rehearsal on a registry of this machine', () => {
  let registry: LocalRegistry
  let directory: string
  let release: Awaited<ReturnType<typeof runCommand>>
  const publish = () =>
    runCommand('node', ['scripts/release.mjs', '--rehearse', '--registry', registry.url], {
      cwd: root,
      env: registry.env,
    })
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'caseward-release-'))
    registry = await startLocalRegistry()
    release = await publish()
  })
  afterAll(async () => {
    await registry.stop()
    await rm(directory, { recursive: true })
  })

  it('publishes every package after those that it depends on', () => {
    expect(release).toMatchObject({ exitCode: 0 })
    const names = release.stdout.split('\n').flatMap((line) => /^published (\S+) /.exec(line)?.[1] ?? [])
    expect(names).toHaveLength(15)
    const reporter = ['@caseward/client', '@caseward/ci-run', '@caseward/reporter-core', '@caseward/vitest']
    for (const dependents of [reporter, ['@caseward/cli', 'caseward']])
      expect(names.filter((name) => dependents.includes(name))).toEqual(dependents)
  })

  it('leaves out packages that are published already', async () => {
    const second = await publish()
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('\npublished ') })
    expect(second.stdout.match(/ is published already/g)).toHaveLength(15)
  })

  it('publishes a command and a reporter that npm installs and that run', async () => {
    await writeFile(join(directory, 'package.json'), '{"type": "module"}')
    const options = { cwd: directory, env: registry.env }
    await runOrThrow(
      'npm',
      ['install', '--save-dev', '--no-audit', '--no-fund', 'caseward', '@caseward/node-test'],
      options,
    )
    expect(await runOrThrow('npx', ['caseward', '--version'], options)).toMatch(/^\d+\.\d+\.\d+\n$/)
    await writeFile(join(directory, 'a.test.js'), "import { test } from 'node:test'\ntest('works', () => {})\n")
    const args = ['--test', '--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']
    const unreachable = { SERVICE_URL: 'http://127.0.0.1:1', SERVICE_TOKEN: 'cwc_x', SERVICE_RUN_ID: 'r' }
    const { exitCode, stderr } = await runCommand('node', args, { cwd: directory, env: unreachable })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('.caseward/spool') })
  })
})
