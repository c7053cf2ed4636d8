import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Framework, NewFile, ReporterOptions } from './frameworks.ts'
import type { Project } from './read-project.ts'

/** What to do for a framework: create a file, or add lines to an existing one by hand. */
export interface Plan {
  readonly framework: Framework
  readonly create: NewFile | null
  readonly add: { readonly to: string; readonly lines: readonly string[] } | null
}

/** Plans to create a configuration only if there is none: an existing file cannot be changed reliably. */
export async function planFramework(framework: Framework, project: Project, options: ReporterOptions): Promise<Plan> {
  const { configFiles, manifestField, otherLocation = 'its configuration', createConfig } = framework
  const lines = framework.getLines(project, options)
  // Vitest's own configuration takes precedence over Vite's.
  const file = project.files
    .filter((name) => configFiles.test(name))
    .toSorted()
    .toReversed()[0]
  if (file !== undefined) {
    const text = await readFile(join(project.directory, file), 'utf8')
    return { framework, create: null, add: text.includes(framework.package) ? null : { to: file, lines } }
  }
  if (manifestField !== undefined && project.manifestFields.includes(manifestField)) {
    const text = await readFile(join(project.directory, 'package.json'), 'utf8')
    // A dependency on the reporter does not configure it.
    const isDone = text.replaceAll(/"@caseward\/[\w-]+"\s*:/g, '').includes(framework.package)
    return { framework, create: null, add: isDone ? null : { to: `package.json, “${manifestField}”`, lines } }
  }
  const create = createConfig(project, options)
  if (create !== null) return { framework, create, add: null }
  return { framework, create, add: lines.length === 0 ? null : { to: otherLocation, lines } }
}

/** Plans to add the spool to .gitignore; null if it is there already. */
export async function planGitignore({ directory, files }: Project): Promise<NewFile | null> {
  const text = files.includes('.gitignore') ? await readFile(join(directory, '.gitignore'), 'utf8') : ''
  if (/^\/?\.caseward\/?\s*$/m.test(text)) return null
  const lineEnd = text === '' || text.endsWith('\n') ? '' : '\n'
  return { path: '.gitignore', text: `${text}${lineEnd}.caseward/\n` }
}

/** The variables to set in a CI system. */
export interface CiVariables {
  readonly to: string
  readonly lines: readonly string[]
}

/** What is known about the server. Without the project, a placeholder is shown. */
export interface CiSettings {
  readonly url: string
  readonly projectId: string | null
  /** Whether test cases are created by a reporter that has no options in a configuration. */
  readonly createCases: boolean
}

/** Returns the server, the project and the token for each CI system of the project, or for any system. */
export function getCiVariables({ ciSystems }: Project, settings: CiSettings): readonly CiVariables[] {
  if (ciSystems.length > 0) {
    return ciSystems.map((system) => (system === 'github' ? forGitHub(settings) : forGitLab(settings)))
  }
  const { url, projectId, createCases } = settings
  return [
    {
      to: 'the environment of the tests in CI',
      lines: [
        `SERVICE_URL=${url}`,
        `SERVICE_PROJECT_ID=${projectId ?? '<id of the project in Caseward>'}`,
        'SERVICE_TOKEN=<CI token of the project, as a secret>',
        ...(createCases ? ['SERVICE_CREATE_CASES=1'] : []),
      ],
    },
  ]
}

const forGitHub = (settings: CiSettings): CiVariables => ({
  to: 'the workflow in .github/workflows (store SERVICE_TOKEN as a secret of the repository)',
  lines: ['env:', ...formatYaml(settings), '  SERVICE_TOKEN: ${{ secrets.SERVICE_TOKEN }}'],
})

const forGitLab = (settings: CiSettings): CiVariables => ({
  to: '.gitlab-ci.yml (store SERVICE_TOKEN as a masked CI/CD variable of the project)',
  lines: ['variables:', ...formatYaml(settings)],
})

const formatYaml = ({ url, projectId, createCases }: CiSettings) => [
  `  SERVICE_URL: ${url}`,
  `  SERVICE_PROJECT_ID: ${projectId ?? '# id of the project in Caseward'}`,
  ...(createCases ? ["  SERVICE_CREATE_CASES: '1'"] : []),
]
