import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const repository = fileURLToPath(new URL('../../../../../', import.meta.url))
const corpus = resolve(repository, process.env['JUNIT_CORPUS'] ?? '../shared/junit')
const index = join(corpus, 'INDEX.tsv')

/** What INDEX.tsv says of each report. */
function readIndex(): { path: string; tests: number; expect: string }[] {
  const [head = '', ...lines] = readFileSync(index, 'utf8').trimEnd().split('\n')
  const columns = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    const of = (column: string) => cells[columns.indexOf(column)] ?? ''
    return { path: of('path'), tests: Number(of('tests')), expect: of('expect') }
  })
}
const files = existsSync(index) ? readIndex() : []
const guarantee =
  files.length === 0
    ? `LEFT OUT: there is no corpus of real reports at ${corpus}; JUNIT_CORPUS names its folder`
    : 'is stored, or refused with the reason, as the index expects; never is it an error of the server'

const server = useTestServer()

describe('every report of the corpus', () => {
  it.each([guarantee])(
    '%s',
    async () => {
      const { project, uploadXml } = await makeUploadScenario(server, 0)
      const wrong: string[] = []
      for (const file of files) {
        const { status, body } = await uploadXml(await readFile(join(corpus, file.path)))
        const allowed = { accept: [200, 207], reject: [400] }[file.expect] ?? [200, 207, 400]
        if (!allowed.includes(status)) wrong.push(`${file.path} (${file.expect}): ${status} ${JSON.stringify(body)}`)
        // None names cases of this project: tests must come back as errors, every one of them.
        if (status === 200 && file.tests > 0) wrong.push(`${file.path}: its tests went missing`)
      }
      expect(wrong).toEqual([])
      await expectCorrectCounters(server, project.id)
    },
    120_000,
  )
})
