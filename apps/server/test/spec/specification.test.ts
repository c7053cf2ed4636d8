import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { readTests } from './read-tests.ts'
import { specificationTags } from './specification.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const directories = ['apps/server/src', 'apps/server/test', 'packages', 'e2e']

/** Reads the tags of all tests in the repository that cannot be skipped. */
function readTags(): Set<string> {
  const files = directories.flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !/node_modules|dist|fixtures/.test(file))
      .map((file) => join(root, directory, file)),
  )
  const tests = files.flatMap((file) => readTests(readFileSync(file, 'utf8')))
  return new Set(tests.flatMap(({ tags, mayBeSkipped }) => (mayBeSkipped ? [] : tags)))
}

describe('the specification', () => {
  it('has a unique tag for each requirement', () => {
    const names = specificationTags.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(300)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has at least one test that cannot be skipped for each requirement', () => {
    const tags = readTags()
    expect(specificationTags.filter(({ name }) => !tags.has(name))).toEqual([])
  })
})
