import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { root } from './local-registry.ts'
import { runCommand, runOrThrow } from './run-command.ts'

describe('npm run release', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'caseward-release-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  const manifest = {
    version: '1.2.3',
    description: 'A package.',
    license: 'MIT',
    repository: 'git+https://example.com/a.git',
    files: ['dist'],
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
  }

  /** Creates a repository with the script and one package, and runs the script. */
  async function release(files: Record<string, string | object>, ...args: string[]) {
    const cwd = await mkdtemp(join(directory, 'repository-'))
    const all = {
      'package.json': { name: 'root', version: '1.2.3', private: true },
      'packages/a/package.json': { name: 'a', ...manifest },
      'CHANGELOG.md': '# Changelog\n\n## 1.2.3 (2026-11-23)\n',
      ...files,
    }
    for (const [name, content] of Object.entries(all)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true })
      await writeFile(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
    }
    await mkdir(join(cwd, 'scripts'))
    await cp(join(root, 'scripts/release.mjs'), join(cwd, 'scripts/release.mjs'))
    const git = (...words: string[]) =>
      runOrThrow('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], { cwd })
    await git('init', '--quiet')
    await git('add', '.')
    await git('commit', '--quiet', '--message', 'All')
    if (args.includes('changed')) await writeFile(join(cwd, 'new.txt'), '')
    const options = args.filter((arg) => arg !== 'changed')
    return await runCommand('node', ['scripts/release.mjs', ...options], { cwd })
  }

  it.each<[string, Record<string, string | object>, string[], string]>([
    ['uncommitted changes', {}, ['changed'], 'The working tree has uncommitted changes.'],
    [
      'an unreleased version in the changelog',
      { 'CHANGELOG.md': '## 1.2.3 (unreleased)\n' },
      [],
      'CHANGELOG.md says that 1.2.3 is unreleased: write its date.',
    ],
    ['no entry in the changelog', { 'CHANGELOG.md': '# Changelog\n' }, [], 'CHANGELOG.md has no entry for 1.2.3.'],
    [
      'a package of another version',
      { 'packages/a/package.json': { name: 'a', ...manifest, version: '1.2.2' } },
      [],
      'packages/a has version 1.2.2 instead of 1.2.3.',
    ],
    [
      'a dependency on a private package',
      {
        'packages/a/package.json': { name: 'a', ...manifest, dependencies: { b: '1.2.3' } },
        'packages/b/package.json': { name: 'b', version: '1.2.3', private: true },
      },
      [],
      'packages/a depends on b, which is private.',
    ],
    ['another version than the tag', {}, ['--tag', 'v1.2.4'], 'The tag v1.2.4 does not fit version 1.2.3: use v1.2.3.'],
    [
      'a server of another version',
      { 'apps/server/package.json': { name: 'server', version: '1.2.2', private: true } },
      [],
      'apps/server has version 1.2.2 instead of 1.2.3.',
    ],
    ['a terminal outside of CI', {}, [], 'Provenance requires GitHub Actions or GitLab CI: run the release there.'],
    [
      'a rehearsal on a public registry',
      {},
      ['--rehearse', '--registry', 'https://registry.example.com'],
      'A rehearsal requires a --registry on this machine.',
    ],
  ])('publishes nothing with %s', async (_, files, args, finding) => {
    const { exitCode, stdout, stderr } = await release(files, ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr.split('\n')).toContain(finding)
  })
})
