import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Starts the named test files of each project first, so that none of them runs alone at the end. Vitest knows what takes long
 * only where the tests have run before.
 * @param slowFiles the ends of their paths, the slowest first
 * @public used by `vitest.config.ts`
 */
export function createSequencer(slowFiles: readonly string[]): typeof BaseSequencer {
  const getRank = ({ moduleId }: TestSpecification) => {
    const rank = slowFiles.findIndex((file) => moduleId.endsWith(file))
    return rank === -1 ? slowFiles.length : rank
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer is not an array
      const sorted = await super.sort(files)
      const projects = [...new Set(sorted.map(({ project }) => project.name))]
      return projects.flatMap((name) =>
        sorted.filter(({ project }) => project.name === name).toSorted((a, b) => getRank(a) - getRank(b)),
      )
    }
  }
}
