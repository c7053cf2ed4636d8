import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll } from 'vitest'

import { createFixtureProject, type FreshProject } from './fresh-project.ts'

/**
 * Installs a framework and its suite before the tests of a file. What a test has saved in the spool is removed after it.
 * @param args those of {@link createFixtureProject}
 * @returns the project, to be used in tests and hooks
 */
export function useFixtureProject(...args: Parameters<typeof createFixtureProject>): FreshProject {
  let created: FreshProject | undefined
  const get = (): FreshProject => {
    if (created === undefined) throw new Error('The project is used before it is created: use it in tests and hooks')
    return created
  }
  beforeAll(async () => {
    created = await createFixtureProject(...args)
  })
  afterEach(() => rm(join(get().folder, '.caseward'), { recursive: true, force: true }))
  afterAll(() => created?.remove())
  return {
    get folder() {
      return get().folder
    },
    start: (...command) => get().start(...command),
    run: (...command) => get().run(...command),
    spooled: () => get().spooled(),
    move: () => get().move(),
    remove: () => get().remove(),
  }
}
