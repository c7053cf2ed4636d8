import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const repository = fileURLToPath(new URL('../../../../../', import.meta.url))
const corpus = resolve(repository, process.env['JUNIT_CORPUS'] ?? '../shared/junit')
const index = join(corpus, 'INDEX.tsv')
const MAX_DEPTH = 100

/** The rows of INDEX.tsv, one for each report. */
function readIndex(): { path: string; tests: number; expect: string }[] {
  const [head = '', ...lines] = readFileSync(index, 'utf8').trimEnd().split('\n')
  const columns = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    const getCell = (column: string) => cells[columns.indexOf(column)] ?? ''
    // The index does not know the parser's limit for nested elements.
    const expectation = Number(getCell('maxdepth')) > MAX_DEPTH ? 'reject' : getCell('expect')
    return { path: getCell('path'), tests: Number(getCell('tests')), expect: expectation }
  })
}
const files = existsSync(index) ? readIndex() : []
const corpusName = files.length === 0 ? `NO REPORTS at ${corpus}, set JUNIT_CORPUS` : `${files.length} reports`

const server = useSharedServer()

describe('POST /v1/results with a corpus of real JUnit reports', () => {
  it.each([corpusName])(
    'returns 200, 207 or 400 for each report, as the index expects (%s)',
    async () => {
      const { project, uploadXml } = await makeUploadScenario(server, 0)
      const errors: string[] = []
      for (const file of files) {
        const { status, body } = await uploadXml(await readFile(join(corpus, file.path)))
        const allowed = { accept: [200, 207], reject: [400] }[file.expect] ?? [200, 207, 400]
        if (!allowed.includes(status)) errors.push(`${file.path} (${file.expect}): ${status} ${JSON.stringify(body)}`)
        // No report names test cases of this project.
        if (status !== 400 && body.tests?.matched !== 0) errors.push(`${file.path}: ${JSON.stringify(body.tests)}`)
      }
      expect(errors).toEqual([])
      await expectCorrectCounters(server, project.id)
    },
    120_000,
  )
})
