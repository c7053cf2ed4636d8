import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const caseward = (args: readonly string[]) => runInProcess(args, { cwd: '/' })
const getScript = async (shell: string) => (await caseward(['completion', shell])).stdout

/** Returns what bash offers after these words. */
async function completeInBash(words: readonly string[], cwd = '/'): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const call = `COMP_WORDS=(caseward ${quoted}); COMP_CWORD=${words.length}; _caseward; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', `${await getScript('bash')}\n${call}`], { cwd })
  return stdout.split('\n').filter((word) => word !== '')
}

describe('caseward completion', () => {
  it.each([
    [['r'], ['replay', 'run']],
    [
      ['run', ''],
      ['create', 'complete', 'show', 'failed', '--help'],
    ],
    [['run', 'show', '--fail'], ['--fail-on']],
    [
      ['run', 'show', '--fail-on', ''],
      ['failed', 'incomplete', 'flaky'],
    ],
    [
      ['import', 'test'],
      ['testrail', 'testlink', 'testmo'],
    ],
    [
      ['import', 'testrail', '--attachments', ''],
      ['all', 'cases', 'none'],
    ],
    [['completion', 'z'], ['zsh']],
    [['upload', '--run', 'c'], []],
    [['upload', 'r'], []],
  ])('completes %j in bash to %j', async (words, candidates) => {
    expect(await completeInBash(words)).toEqual(candidates)
  })

  it('offers files as well as options in bash before anything is typed', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'caseward-completion-'))
    onTestFinished(() => rm(cwd, { recursive: true }))
    await writeFile(join(cwd, 'my results.xml'), '')
    const candidates = await completeInBash(['upload', ''], cwd)
    expect(candidates).toEqual(expect.arrayContaining(['--dry-run', 'my results.xml']))
    expect(await completeInBash(['run', 'show', ''], cwd)).not.toContain('my results.xml')
  })

  it.each(['zsh', 'fish'])('prints a script for %s with every command and its options', async (shell) => {
    const script = await getScript(shell)
    const commands = ['upload', 'replay', 'exec', 'run', 'create', 'complete', 'show', 'cases', 'import', 'export']
    const others = [
      'token',
      'check',
      'init',
      'completion',
      'token-file',
      'gate',
      'known_flaky',
      'fail-on',
      'incomplete',
      'playwright',
    ]
    for (const name of [...commands, ...others]) expect(script).toContain(name)
  })

  it('rejects an unknown shell', async () => {
    const { exitCode, stderr } = await caseward(['completion', 'tcsh'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Allowed choices are bash, zsh, fish/),
    })
  })

  it('prints the shell and the script as JSON with --json', async () => {
    const { stdout } = await caseward(['--json', 'completion', 'fish'])
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script: await getScript('fish') })
  })
})
