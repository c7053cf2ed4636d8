import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { buildJunitXml, useUploadScenario } from './upload-scenario.ts'

const scenario = useUploadScenario()
const missing = Array.from({ length: 30 }, (_, index) => `missing-${index}.xml`)

describe('caseward upload with more than 20 errors', () => {
  it('prints the first 20 over all files, and the number of the others', async () => {
    const { exitCode, stdout } = await scenario.upload(missing)
    expect(exitCode).toBe(1)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.filter((line) => line.startsWith('  - file not found'))).toHaveLength(20)
    expect(lines.filter((line) => line.endsWith(': not stored'))).toHaveLength(20)
    expect(lines.slice(-3)).toEqual([
      '  and 10 more (use --errors-file <file> to write all of them to a file)',
      'and 10 more files',
      'Stored nothing; not stored: 30 files.',
    ])
  })

  it('writes all of them to the file of --errors-file, and prints all with --json', async () => {
    await scenario.write('a.xml', buildJunitXml(...Array.from({ length: 30 }, (_, index) => `WEB-${100 + index}`)))
    const { stdout } = await scenario.upload(['a.xml', 'missing.xml', '--errors-file', 'errors.txt', '--json'])
    const { files } = JSON.parse(stdout) as { files: { errors?: object[] }[] }
    expect(files.find(({ errors }) => errors !== undefined)?.errors).toHaveLength(30)
    const lines = (await readFile(join(scenario.cwd, 'errors.txt'), 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(31)
    expect(lines).toContain('a.xml: WEB-129 is not in this run.')
  })

  it('prints the files that are stored completely beside those that are not', async () => {
    await scenario.write('good.xml', buildJunitXml('WEB-1'))
    const { exitCode, stdout } = await scenario.upload([...missing, 'good.xml'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 2,
      stdout: expect.stringContaining('\ngood.xml: 1 stored (1 passed)\n'),
    })
  })
})
