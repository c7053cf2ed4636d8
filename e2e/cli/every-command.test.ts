import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import { runInProcess } from './run-in-process.test.helper.ts'

const commands = [
  ['upload'],
  ['replay'],
  ['run', 'create'],
  ['run', 'close'],
  ['run', 'show'],
  ['cases', 'import'],
  ['cases', 'export'],
  ['token', 'check'],
  ['init'],
  ['completion'],
]
const caseward = (args: readonly string[], env = {}) => runInProcess(args, { cwd: '/', env })
const scriptFor = async (shell: string) => (await caseward(['completion', shell])).stdout

describe('every command', () => {
  it.each(commands)('tells its exit codes, examples and --json: %s %s', async (...command) => {
    const { exitCode, stdout } = await caseward([...command, '--help'])
    expect(exitCode).toBe(0)
    for (const part of ['\nExit codes:\n', '\nExamples:\n', '--json ']) expect(stdout).toContain(part)
    expect(stdout).toContain(`  caseward ${command.join(' ')}`)
  })

  it.each(commands)('answers a wrong option with a JSON document and 1: %s %s', async (...command) => {
    const { exitCode, stdout, stderr } = await caseward([...command, '--json', '--wrong'])
    expect({ exitCode, stderr, document: JSON.parse(stdout) }).toEqual({
      exitCode: 1,
      stderr: '',
      document: { error: { message: expect.stringMatching(/unknown option '--wrong'/), code: 'usage' } },
    })
  })

  it.each([[['--json', 'run', 'show']], [['run', '--json', 'show']], [['run', 'show', '--json']]])(
    'takes --json wherever it stands: %j',
    async (args) => {
      const { exitCode, stdout, stderr } = await caseward(args)
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'settings' } })
    },
  )

  it('is suggested to who mistypes it', async () => {
    expect((await caseward(['run', 'shwo'])).stderr).toMatch(/Did you mean show\?/)
    expect((await caseward(['replay', '--refusd'])).stderr).toMatch(/Did you mean --refused\?/)
  })

  it('asks for its settings all at once, and says so to programs, too', async () => {
    const { exitCode, stdout } = await caseward(['run', 'show', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { message: expect.stringMatching(/SERVICE_URL.*SERVICE_TOKEN.*SERVICE_RUN_ID/), code: 'settings' },
    })
  })
})

/** What bash offers behind these words, where a folder's files are offered, too. */
async function bashOffers(words: readonly string[], cwd = '/'): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(caseward ${quoted}); COMP_CWORD=${words.length}; _caseward; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', `${await scriptFor('bash')}\n${ask}`], { cwd })
  return stdout.split('\n').filter((word) => word !== '')
}

describe('caseward completion', () => {
  it.each([
    [['r'], ['replay', 'run']],
    [
      ['run', ''],
      ['create', 'close', 'show', '--help'],
    ],
    [['run', 'show', '--fail'], ['--fail-on']],
    [
      ['run', 'show', '--fail-on', ''],
      ['failed', 'incomplete'],
    ],
    [['completion', 'z'], ['zsh']],
    [['upload', '--run', 'c'], []],
    [['upload', 'r'], []],
  ])('offers in bash behind %j what there is', async (words, offered) => {
    expect(await bashOffers(words)).toEqual(offered)
  })

  it('offers files in bash as well as options before anything is typed', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'caseward-completion-'))
    onTestFinished(() => rm(cwd, { recursive: true }))
    await writeFile(join(cwd, 'my results.xml'), '')
    const offered = await bashOffers(['upload', ''], cwd)
    expect(offered).toEqual(expect.arrayContaining(['--dry-run', 'my results.xml']))
    expect(await bashOffers(['run', 'show', ''], cwd)).not.toContain('my results.xml')
  })

  it.each(['zsh', 'fish'])('names every command and its options to %s', async (shell) => {
    const script = await scriptFor(shell)
    const names = new Set(commands.flat())
    for (const name of [...names, 'token-file', 'fail-on', 'incomplete', 'playwright']) expect(script).toContain(name)
  })

  it('refuses a shell that it does not know', async () => {
    const { exitCode, stderr } = await caseward(['completion', 'tcsh'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Allowed choices are bash, zsh, fish/),
    })
  })

  it('tells programs shell and script', async () => {
    const { stdout } = await caseward(['--json', 'completion', 'fish'])
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script: await scriptFor('fish') })
  })
})
