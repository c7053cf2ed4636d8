import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-init-'))
})
afterEach(() => rm(cwd, { recursive: true }))

async function write(files: Record<string, string | object>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await writeFile(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}
const using = (...packages: string[]) => ({
  'package.json': { devDependencies: Object.fromEntries(packages.map((name) => [name, '1.0.0'])) },
})
const read = (name: string) => readFile(join(cwd, name), 'utf8')
const init = (...args: string[]) => runInProcess(['init', ...args], { cwd })
const answering = (...answers: string[]) =>
  runInProcess(['init'], { cwd, isTerminal: true, input: answers.map((answer) => `${answer}\n`).join('') })

const reporterOptions = '--test-reporter=@caseward/node-test --test-reporter-destination=stdout'

describe('caseward init', () => {
  it.each([
    ['@playwright/test', 'playwright.config.mjs', "reporter: [['list'], ['@caseward/playwright']]"],
    ['cypress', 'cypress.config.mjs', 'caseward(on, config)'],
    ['vitest', 'vitest.config.mjs', "reporters: ['default', '@caseward/vitest']"],
    ['jest', 'jest.config.mjs', "reporters: ['default', '@caseward/jest']"],
    ['mocha', '.mocharc.json', '"reporter": "@caseward/mocha"'],
  ])('creates a configuration for %s if there is none', async (name, file, content) => {
    await write(using(name))
    const { exitCode, stdout } = await init('--yes')
    expect(exitCode).toBe(0)
    expect(stdout).toContain(
      `Wrote ${file}.\nWrote .gitignore.\nInstall the reporter:\n\n    npm install --save-dev @caseward/`,
    )
    expect(await read(file)).toContain(content)
  })

  it.each([
    ['@playwright/test', 'playwright.config.ts', "reporter: [['list'], ['@caseward/playwright']],"],
    ['vitest', 'vite.config.js', "reporters: ['default', '@caseward/vitest'],"],
    ['@wdio/cli', 'wdio.conf.js', "services: [['@caseward/webdriverio', {}]],"],
  ])('leaves an existing configuration for %s unchanged, and shows the lines to add', async (name, file, line) => {
    await write({ ...using(name), [file]: 'export default {}\n' })
    const { stdout } = await init('--yes')
    expect(stdout).toContain(`Add to ${file}:\n`)
    expect(stdout).toContain(line)
    expect(await read(file)).toBe('export default {}\n')
    expect((await readdir(cwd)).toSorted()).toEqual(['.gitignore', file, 'package.json'].toSorted())
  })

  it('detects configurations in package.json, and scripts that run node --test', async () => {
    const scripts = {
      unit: 'node --test tests/',
      ci: 'node --test --test-reporter=dot',
      dev: 'node --test --watch',
      lint: 'oxlint',
    }
    await write({ 'package.json': { devDependencies: { jest: '30' }, jest: {}, scripts } })
    const { stdout } = await init('--yes', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      frameworks: ['jest', 'node-test'],
      install: 'npm install --save-dev @caseward/jest @caseward/node-test',
      written: ['.gitignore'],
      to_add: [
        { to: 'package.json, “jest”' },
        {
          to: 'package.json, “scripts”',
          lines: [
            `"unit": "node --test --test-reporter=spec --test-reporter-destination=stdout ${reporterOptions} tests/",`,
            `"ci": "node --test ${reporterOptions} --test-reporter-destination=stdout --test-reporter=dot",`,
          ],
        },
      ],
    })
  })

  it('shows the lines for WebdriverIO when there is no configuration yet', async () => {
    await write(using('@wdio/cli'))
    const { stdout } = await init('--yes')
    expect(stdout).toContain(
      "Add to wdio.conf.js, which “npx wdio config” creates:\n\n    services: [['@caseward/webdriverio', {}]],\n",
    )
  })

  it('writes nothing the second time', async () => {
    await write({ ...using('@playwright/test', 'typescript'), '.gitignore': 'node_modules' })
    await init('--yes')
    expect(await read('.gitignore')).toBe('node_modules\n.caseward/\n')
    const files = await readdir(cwd)
    const { stdout } = await init('--yes', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ written: [], to_add: [] })
    expect([await readdir(cwd), files.includes('playwright.config.ts')]).toEqual([files, true])
  })

  it('shows the settings for the CI system of the project, and how to install the reporter', async () => {
    await write({ ...using('vitest'), '.github/workflows/ci.yml': '', '.gitlab-ci.yml': '', 'pnpm-lock.yaml': '' })
    const { stdout } = await init('--yes', '--url', 'https://cases.example.com')
    expect(stdout).toContain('pnpm add --save-dev @caseward/vitest\n')
    expect(stdout).toContain('    SERVICE_URL: https://cases.example.com\n')
    expect(stdout).toContain('SERVICE_TOKEN: ${{ secrets.SERVICE_TOKEN }}')
    expect(stdout).toContain('Set in .gitlab-ci.yml')
  })

  it.each([
    ['@playwright/test', 'playwright.config.mjs', "[['list'], ['@caseward/playwright', { createCases: true }]]"],
    ['cypress', 'cypress.config.mjs', 'caseward(on, config, { createCases: true })'],
    ['vitest', 'vitest.config.mjs', "['default', ['@caseward/vitest', { createCases: true }]]"],
    ['jest', 'jest.config.mjs', "['default', ['@caseward/jest', { createCases: true }]]"],
    ['mocha', '.mocharc.json', '"reporter-option": ["createCases=true"]'],
  ])('writes --create-cases into the configuration for %s', async (name, file, content) => {
    await write(using(name))
    await init('--yes', '--create-cases')
    expect(await read(file)).toContain(content)
  })

  it('sets --create-cases in the environment for node --test, which has no configuration', async () => {
    await write({ 'package.json': { scripts: { test: 'node --test' } } })
    expect((await init('--yes', '--create-cases')).stdout).toContain('    SERVICE_CREATE_CASES=1\n')
  })

  it('shows the changes and writes nothing in a dry run', async () => {
    await write(using('mocha'))
    const { exitCode, stdout } = await init('--dry-run')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\.mocharc\.json:\n\n {4}\{\n/),
    })
    expect(await readdir(cwd)).toEqual(['package.json'])
  })

  it.each([
    ['without a package.json', {}, ['--yes'], /No package\.json in /],
    ['with an invalid package.json', { 'package.json': '{' }, ['--yes'], /package\.json is not valid JSON/],
    ['without a framework', using(), ['--yes'], /contains no supported test framework.*\n.*--framework <name>/],
    [
      'without a terminal',
      using('jest'),
      [],
      /standard input is not a terminal\.\n.*--yes to set up jest, or --framework/,
    ],
    ['for an unknown framework', using(), ['--framework', 'ava'], /Allowed choices are playwright/],
  ])('ends with exit code 1 and a hint %s', async (_, files, args, message) => {
    await write(files)
    expect(await init(...args)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
  })
})

describe('caseward init at a terminal', () => {
  it('asks questions, and uses the default for an empty answer', async () => {
    await write(using('jest', 'mocha'))
    const { exitCode, stdout, stderr } = await answering('', '', '', '')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'Address of your Caseward server? Found Jest, Mocha. Which ones do you want to set up? [jest mocha] ' +
        'Create test cases for tests that match none? [yes] ' +
        'Write jest.config.mjs, .mocharc.json, and .gitignore? [yes] ',
    })
    expect(await read('.mocharc.json')).toBe(
      '{\n  "reporter": "@caseward/mocha",\n  "reporter-option": ["createCases=true"]\n}\n',
    )
    expect(stdout).toMatch(/^Wrote jest\.config\.mjs\.\nWrote \.mocharc\.json\.\nWrote \.gitignore\.\n/)
  })

  it('follows the answers, and writes nothing after a no', async () => {
    await write(using('jest', 'mocha'))
    const { stdout } = await answering('https://cases.example.com', '', 'mocha', 'no', 'no')
    expect(stdout).toMatch(/^\.mocharc\.json:\n[^]*SERVICE_URL=https:\/\/cases\.example\.com/)
    expect(await readdir(cwd)).toEqual(['package.json'])
  })

  it('writes nothing when standard input ends before the answers', async () => {
    await write(using('jest'))
    expect(await answering('')).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Nothing was written/) })
    expect(await readdir(cwd)).toEqual(['package.json'])
  })
})
