import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from '../../run-in-process.test.helper.ts'

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

const ours = '--test-reporter=@caseward/node-test --test-reporter-destination=stdout'

describe('caseward init', () => {
  it.each([
    ['@playwright/test', 'playwright.config.mjs', "reporter: [['list'], ['@caseward/playwright']]"],
    ['cypress', 'cypress.config.mjs', 'caseward(on, config)'],
    ['vitest', 'vitest.config.mjs', "reporters: ['default', '@caseward/vitest']"],
    ['jest', 'jest.config.mjs', "reporters: ['default', '@caseward/jest']"],
    ['mocha', '.mocharc.json', '"reporter": "@caseward/mocha"'],
  ])('writes a configuration for %s where there is none', async (name, file, content) => {
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
  ])('leaves a configuration for %s as it is, and shows the lines to add', async (name, file, line) => {
    await write({ ...using(name), [file]: 'export default {}\n' })
    const { stdout } = await init('--yes')
    expect(stdout).toContain(`Add to ${file}:\n`)
    expect(stdout).toContain(line)
    expect(await read(file)).toBe('export default {}\n')
    expect((await readdir(cwd)).toSorted()).toEqual(['.gitignore', file, 'package.json'].toSorted())
  })

  it('knows configurations that stand in package.json, and tests that Node runs by itself', async () => {
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
            `"unit": "node --test --test-reporter=spec --test-reporter-destination=stdout ${ours} tests/",`,
            `"ci": "node --test ${ours} --test-reporter-destination=stdout --test-reporter=dot",`,
          ],
        },
      ],
    })
  })

  it('shows where the reporter of WebdriverIO goes before there is a configuration', async () => {
    await write(using('@wdio/cli'))
    const { stdout } = await init('--yes')
    expect(stdout).toContain(
      "Add to wdio.conf.js, which “npx wdio config” makes:\n\n    services: [['@caseward/webdriverio', {}]],\n",
    )
  })

  it('has nothing to write the second time', async () => {
    await write({ ...using('@playwright/test', 'typescript'), '.gitignore': 'node_modules' })
    await init('--yes')
    expect(await read('.gitignore')).toBe('node_modules\n.caseward/\n')
    const files = await readdir(cwd)
    const { stdout } = await init('--yes', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ written: [], to_add: [] })
    expect([await readdir(cwd), files.includes('playwright.config.ts')]).toEqual([files, true])
  })

  it('shows what to set in the CI system that is there, and how to install', async () => {
    await write({ ...using('vitest'), '.github/workflows/ci.yml': '', '.gitlab-ci.yml': '', 'pnpm-lock.yaml': '' })
    const { stdout } = await init('--yes', '--url', 'https://cases.example.com')
    expect(stdout).toContain('pnpm add --save-dev @caseward/vitest\n')
    expect(stdout).toContain('    SERVICE_URL: https://cases.example.com\n')
    expect(stdout).toContain('SERVICE_TOKEN: ${{ secrets.SERVICE_TOKEN }}')
    expect(stdout).toContain('Set in .gitlab-ci.yml')
  })

  it('writes nothing in a dry run, and shows what it would', async () => {
    await write(using('mocha'))
    const { exitCode, stdout } = await init('--dry-run')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\.mocharc\.json:\n\n {4}\{\n/),
    })
    expect(await readdir(cwd)).toEqual(['package.json'])
  })

  it.each([
    ['nowhere near a project', {}, ['--yes'], /There is no package\.json in /],
    ['with a package.json that is none', { 'package.json': '{' }, ['--yes'], /package\.json cannot be read/],
    ['without a framework', using(), ['--yes'], /names no test framework .*\n.*--framework <name>/],
    ['without a terminal', using('jest'), [], /no terminal to ask at\.\n.*--yes to set up jest, or --framework/],
    ['for a framework that is not known', using(), ['--framework', 'ava'], /Allowed choices are playwright/],
  ])('ends with 1 and says what to do: %s', async (_, files, args, message) => {
    await write(files)
    expect(await init(...args)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
  })
})

describe('caseward init at a terminal', () => {
  it('asks, and takes an empty answer for the one that it offers', async () => {
    await write(using('jest', 'mocha'))
    const { exitCode, stdout, stderr } = await answering('', '', '')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'Found Jest, Mocha. Set up which? [jest mocha] Address of your Caseward server? ' +
        'Write jest.config.mjs and .mocharc.json and .gitignore? [yes] ',
    })
    expect(stdout).toMatch(/^Wrote jest\.config\.mjs\.\nWrote \.mocharc\.json\.\nWrote \.gitignore\.\n/)
  })

  it('does as it is answered', async () => {
    await write(using('jest', 'mocha'))
    const { stdout } = await answering('mocha', 'https://cases.example.com', 'no')
    expect(stdout).toMatch(/^\.mocharc\.json:\n[^]*SERVICE_URL=https:\/\/cases\.example\.com/)
    expect(await readdir(cwd)).toEqual(['package.json'])
  })

  it('writes nothing when nobody answers', async () => {
    await write(using('jest'))
    expect(await answering('')).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/nothing was written/) })
    expect(await readdir(cwd)).toEqual(['package.json'])
  })
})
