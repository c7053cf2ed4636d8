import { describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

const commands = [
  'upload',
  'exec',
  'gate',
  'replay',
  'run create',
  'run complete',
  'run show',
  'run failed',
  'cases import',
  'cases export',
  'import',
  'import testrail',
  'import qase',
  'import xray',
  'import zephyr-scale',
  'import zephyr-squad',
  'import testlink',
  'import kiwi',
  'import testmo',
  'import azure',
  'import practitest',
  'import qtest',
  'export',
  'quarantine list',
  'quarantine add',
  'quarantine end',
  'token check',
  'init',
  'completion',
]
const caseward = (args: readonly string[], env = {}) => runInProcess(args, { cwd: '/', env })

describe('caseward --version and --help', () => {
  it('prints its version', async () => {
    expect(await caseward(['--version'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    })
  })

  it('prints a help that lists every command', async () => {
    const { exitCode, stdout } = await caseward(['--help'])
    expect(exitCode).toBe(0)
    const names = new Set(commands.map((command) => command.replace(/ .*/, '')))
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })

  it.each(['run', 'cases', 'quarantine', 'token'])('prints a help of %s that lists its subcommands', async (group) => {
    const { exitCode, stdout } = await caseward([group, '--help'])
    expect(exitCode).toBe(0)
    const subcommands = commands.filter((command) => command.startsWith(`${group} `))
    for (const command of subcommands)
      expect(stdout).toMatch(new RegExp(`^ {2}${command.split(' ')[1]}(?:\\|\\w+)? `, 'm'))
  })

  it('documents the environment, and what of several reports counts, in the help of upload', async () => {
    const { exitCode, stdout, stderr } = await caseward(['upload', '--help'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    for (const part of ['SERVICE_TOKEN', '--dry-run', 'Exit codes:', 'the worst counts']) {
      expect(stdout).toContain(part)
    }
  })

  it.each(commands)('documents exit codes, examples and --json in the help of %s', async (command) => {
    const { exitCode, stdout } = await caseward([...command.split(' '), '--help'])
    expect(exitCode).toBe(0)
    for (const part of ['\nExit codes:\n', '\nExamples:\n', '--json ']) expect(stdout).toContain(part)
    expect(stdout).toContain(`  caseward ${command}`)
  })
})

describe('caseward with wrong arguments', () => {
  it.each([
    [['uplaod'], /Did you mean upload\?/],
    [['run', 'shwo'], /Did you mean show\?/],
    [['replay', '--refusd'], /Did you mean --refused\?/],
    [['upload'], /missing required argument 'files'/],
    [['upload', '--token', 'cwc_t', 'a.xml'], /unknown option '--token'/],
    [['import', 'testrail', '--project', '3'], /required option '--url <url>' not specified/],
    [['import', 'qase', '--project', 'my shop'], /--project my shop is no project of Qase, such as QD\./],
    [['import', 'xray', '--project', 'BB', '--url', 'ftp://x'], /--url ftp:\/\/x is no address\./],
    [['upload', '--retries', 'many', 'a.xml'], /It must be a number from 0 to 99\./],
  ])('%j ends with exit code 1 and an explanation', async (args, message) => {
    expect(await caseward(args)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
  })

  it.each(commands)('caseward %s --json prints an unknown option as a JSON error', async (command) => {
    // Missing options of the tool would be reported first.
    const hasUser = ['import testrail', 'import kiwi', 'import zephyr-squad'].includes(command)
    const tool = ['--url', 'http://tool', '--project', '3', ...(hasUser ? ['--user', 'ada'] : [])]
    const args = command.startsWith('import ') ? tool : []
    const { exitCode, stdout, stderr } = await caseward([...command.split(' '), ...args, '--json', '--wrong'])
    expect({ exitCode, stderr, document: JSON.parse(stdout) }).toEqual({
      exitCode: 1,
      stderr: '',
      document: { error: { message: expect.stringMatching(/unknown option '--wrong'/), code: 'usage' } },
    })
  })

  it.each([[['--json', 'run', 'show']], [['run', '--json', 'show']], [['run', 'show', '--json']]])(
    '--json is accepted in every position: %j',
    async (args) => {
      const { exitCode, stdout, stderr } = await caseward(args)
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'settings' } })
    },
  )
})
