import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Framework, NewFile } from './frameworks.ts'
import type { CiSystem, Project } from './read-project.ts'

/** What is to be done for a framework: a file of its own, or lines for whoever knows the one that is there. */
export interface Plan {
  readonly framework: Framework
  readonly create: NewFile | null
  readonly add: { readonly to: string; readonly lines: readonly string[] } | null
}

/** Only a file that is not there is written: what stands in the others is not for a program to guess. */
export async function planFor(framework: Framework, project: Project): Promise<Plan> {
  const { configFiles, manifestField, otherwise = 'its configuration', newConfig } = framework
  const lines = framework.lines(project)
  // Vitest's own before Vite's.
  const file = project.files
    .filter((name) => configFiles.test(name))
    .toSorted()
    .toReversed()[0]
  if (file !== undefined) {
    const text = await readFile(join(project.folder, file), 'utf8')
    return { framework, create: null, add: text.includes(framework.package) ? null : { to: file, lines } }
  }
  if (manifestField !== undefined && project.manifestFields.includes(manifestField)) {
    const text = await readFile(join(project.folder, 'package.json'), 'utf8')
    const isDone = text.replaceAll(/"@caseward\/[\w-]+"\s*:/g, '').includes(framework.package)
    return { framework, create: null, add: isDone ? null : { to: `package.json, “${manifestField}”`, lines } }
  }
  const create = newConfig(project)
  if (create !== null) return { framework, create, add: null }
  return { framework, create, add: lines.length === 0 ? null : { to: otherwise, lines } }
}

const IGNORED = '.caseward/'

/** The text of .gitignore with the spool in it; null where it is there already. */
export async function planIgnore({ folder, files }: Project): Promise<NewFile | null> {
  const text = files.includes('.gitignore') ? await readFile(join(folder, '.gitignore'), 'utf8') : ''
  if (/^\/?\.caseward\/?\s*$/m.test(text)) return null
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return { path: '.gitignore', text: `${text}${end}${IGNORED}\n` }
}

/** What to set in CI: the server, the project, and the token as a secret. */
export function ciLines(system: CiSystem, url: string): { file: string; lines: string[] } {
  if (system === 'github') {
    return {
      file: 'the workflow in .github/workflows, with SERVICE_TOKEN among the secrets of the repository',
      lines: [
        'env:',
        `  SERVICE_URL: ${url}`,
        '  SERVICE_PROJECT_ID: # id of the project in Caseward',
        '  SERVICE_TOKEN: ${{ secrets.SERVICE_TOKEN }}',
      ],
    }
  }
  return {
    file: '.gitlab-ci.yml, with SERVICE_TOKEN among the CI/CD variables of the project, masked',
    lines: ['variables:', `  SERVICE_URL: ${url}`, '  SERVICE_PROJECT_ID: # id of the project in Caseward'],
  }
}

/** The same for any other system. */
export const anyCiLines = (url: string) => ({
  file: 'the environment of the tests in CI',
  lines: [
    `SERVICE_URL=${url}`,
    'SERVICE_PROJECT_ID=<id of the project in Caseward>',
    'SERVICE_TOKEN=<CI token of the project, as a secret>',
  ],
})
