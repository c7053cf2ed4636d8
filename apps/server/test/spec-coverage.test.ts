import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { authentication } from './spec/authentication.ts'
import { conventions } from './spec/conventions.ts'
import { errors } from './spec/errors.ts'
import { invitations } from './spec/invitations.ts'
import { limits } from './spec/limits.ts'
import { members } from './spec/members.ts'
import { milestones } from './spec/milestones.ts'
import { projects } from './spec/projects.ts'
import { results } from './spec/results.ts'
import { runs } from './spec/runs.ts'
import type { NamedTest, Requirement } from './spec/requirement.ts'
import { service } from './spec/service.ts'
import { testCases } from './spec/test-cases.ts'
import { upload } from './spec/upload.ts'
import { versioning } from './spec/versioning.ts'
import { readTests } from './test-names.ts'

/* Every sentence of the specification has a test: the tables in spec/ name them, and here they are looked up. */

const sections: Record<string, readonly Requirement[]> = {
  service,
  conventions,
  projects,
  milestones,
  members,
  invitations,
  'test-cases': testCases,
  results,
  runs,
  upload,
  authentication,
  errors,
  limits,
  versioning,
}

const server = new URL('../', import.meta.url)
const read = new Map<string, ReturnType<typeof readFileOnce>>()

/** The tests of a file by name: how often each is there, and whether it is sure to run. */
async function readFileOnce(file: string): Promise<Map<string, { count: number; mayBeSkipped: boolean }>> {
  const source = await readFile(new URL(file, server), 'utf8')
  const tests = new Map<string, { count: number; mayBeSkipped: boolean }>()
  for (const { name, mayBeSkipped } of readTests(source)) {
    const known = tests.get(name) ?? { count: 0, mayBeSkipped: false }
    tests.set(name, { count: known.count + 1, mayBeSkipped: known.mayBeSkipped || mayBeSkipped })
  }
  return tests
}

/** What is wrong with a name; null when there is just one such test, and it runs. */
async function wrongWith({ file, name }: NamedTest): Promise<string | null> {
  const tests = read.get(file) ?? readFileOnce(file)
  read.set(file, tests)
  const found = (await tests).get(name)
  if (found === undefined) return `${file} has no test “${name}”`
  if (found.count > 1) return `${file} has ${found.count} tests “${name}”`
  return found.mayBeSkipped ? `${file} may skip “${name}”` : null
}

describe('the specification', () => {
  it('has a table for each of its sections, and each table is looked through', async () => {
    const files = await readdir(fileURLToPath(new URL('spec', import.meta.url)))
    const tables = files.filter((file) => file !== 'requirement.ts').map((file) => file.replace('.ts', ''))
    expect(tables.toSorted()).toEqual(Object.keys(sections).toSorted())
  })
})

describe.each(Object.entries(sections))('the section %s', (_, sentences) => {
  it('says something, and nothing twice', () => {
    const said = sentences.map(([says]) => says)
    expect(said.length).toBeGreaterThan(0)
    expect(said.filter((says, index) => said.indexOf(says) !== index)).toEqual([])
  })

  it.each(sentences.map(([says, ...tests]) => [says, tests] as const))('has tests for: %s', async (_says, tests) => {
    const wrong = await Promise.all(tests.map(wrongWith))
    expect(wrong.filter((one) => one !== null)).toEqual([])
  })
})
