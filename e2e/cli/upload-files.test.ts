import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-upload-'))
})
afterEach(() => rm(cwd, { recursive: true }))

/** Nothing listens on port 9: a file that would be sent ends the upload with an error. */
const env = { SERVICE_URL: 'http://127.0.0.1:9', SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run-1' }
const upload = (args: readonly string[], input = '') => runInProcess(['upload', ...args], { cwd, env, input })

describe('caseward upload of files that cannot be sent', () => {
  it('sends nothing when no file exists', async () => {
    const { exitCode, stdout, stderr } = await upload(['out/*.xml', 'c.xml'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'out/*.xml: not stored',
      expect.stringMatching(/^ {2}- no file in \/.* matches this pattern/),
      'c.xml: not stored',
      expect.stringMatching(/^ {2}- file not found in \//),
      'Stored nothing; not stored: 2 files.',
      '',
    ])
  })

  it('lists each file that is too large, empty or not results, with what to do', async () => {
    await writeFile(join(cwd, 'large.xml'), Buffer.alloc(10 * 1024 * 1024 + 1, '<'))
    await writeFile(join(cwd, 'empty.xml'), '')
    await writeFile(join(cwd, 'jest.json'), '{"testResults": []}')
    const { exitCode, stdout } = await upload(['large.xml', 'empty.xml', 'jest.json'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/large\.xml: not stored\n {2}- the file has 10\.0 MB, but the limit is 10 MB: configure/)
    expect(stdout).toMatch(/empty\.xml: not stored\n {2}- the file is empty/)
    expect(stdout).toMatch(/jest\.json: not stored\n {2}- the JSON is neither/)
  })

  it('applies the size limit to standard input', async () => {
    const { exitCode, stdout } = await upload(['-'], '<'.repeat(10 * 1024 * 1024 + 1))
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/^standard input: not stored/) })
  })
})
