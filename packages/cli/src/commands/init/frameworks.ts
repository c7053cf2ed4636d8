import { testScripts, withReporter } from './node-test-scripts.ts'
import type { Project } from './read-project.ts'

/** How a framework is told of its reporter. */
export interface Framework {
  readonly name: string
  readonly title: string
  /** The reporter. */
  readonly package: string
  isUsed(project: Project): boolean
  /** Where its configuration stands; the first that is there counts. */
  readonly configFiles: RegExp
  /** The field of package.json that may hold it instead. */
  readonly manifestField?: string
  /** What is added to a configuration that is there. */
  lines(project: Project): readonly string[]
  /** Where that is added when there is none, and none can be written. */
  readonly otherwise?: string
  /** A configuration for where there is none; null where it takes more than a reporter. */
  newConfig(project: Project): NewFile | null
}

export interface NewFile {
  readonly path: string
  readonly text: string
}

const dependsOn =
  (...names: string[]) =>
  ({ dependencies }: Project) =>
    names.some((name) => dependencies.includes(name))

/** A module, as TypeScript where the project uses it; `.mjs` is one whatever package.json says. */
const moduleFile =
  (name: string, text: string) =>
  ({ dependencies }: Project): NewFile => ({
    path: `${name}.${dependencies.includes('typescript') ? 'ts' : 'mjs'}`,
    text,
  })

export const frameworks: readonly Framework[] = [
  {
    name: 'playwright',
    title: 'Playwright Test',
    package: '@caseward/playwright',
    isUsed: dependsOn('@playwright/test'),
    configFiles: /^playwright\.config\.[cm]?[jt]s$/,
    lines: () => ["reporter: [['list'], ['@caseward/playwright']],"],
    newConfig: moduleFile(
      'playwright.config',
      `import { defineConfig } from '@playwright/test'

export default defineConfig({
  reporter: [['list'], ['@caseward/playwright']],
})
`,
    ),
  },
  {
    name: 'cypress',
    title: 'Cypress',
    package: '@caseward/cypress',
    isUsed: dependsOn('cypress'),
    configFiles: /^cypress\.config\.[cm]?[jt]s$/,
    lines: () => [
      "import { caseward } from '@caseward/cypress'",
      '',
      'e2e: {',
      '  setupNodeEvents(on, config) {',
      '    caseward(on, config)',
      '    return config',
      '  },',
      '},',
    ],
    newConfig: moduleFile(
      'cypress.config',
      `import { caseward } from '@caseward/cypress'
import { defineConfig } from 'cypress'

export default defineConfig({
  e2e: {
    setupNodeEvents(on, config) {
      caseward(on, config)
      return config
    },
  },
})
`,
    ),
  },
  {
    name: 'vitest',
    title: 'Vitest',
    package: '@caseward/vitest',
    isUsed: dependsOn('vitest'),
    // Vitest reads Vite's, unless there is one of its own.
    configFiles: /^vi(?:test|te)\.config\.[cm]?[jt]s$/,
    lines: () => ['test: {', "  reporters: ['default', '@caseward/vitest'],", '},'],
    newConfig: moduleFile(
      'vitest.config',
      `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { reporters: ['default', '@caseward/vitest'] },
})
`,
    ),
  },
  {
    name: 'jest',
    title: 'Jest',
    package: '@caseward/jest',
    isUsed: dependsOn('jest'),
    configFiles: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
    manifestField: 'jest',
    lines: () => ["reporters: ['default', '@caseward/jest'],"],
    newConfig: () => ({
      path: 'jest.config.mjs',
      text: "export default {\n  reporters: ['default', '@caseward/jest'],\n}\n",
    }),
  },
  {
    name: 'mocha',
    title: 'Mocha',
    package: '@caseward/mocha',
    isUsed: dependsOn('mocha'),
    configFiles: /^\.mocharc\.(?:[cm]?js|json|jsonc|ya?ml)$/,
    manifestField: 'mocha',
    lines: () => ['"reporter": "@caseward/mocha"'],
    newConfig: () => ({ path: '.mocharc.json', text: '{\n  "reporter": "@caseward/mocha"\n}\n' }),
  },
  {
    name: 'webdriverio',
    title: 'WebdriverIO',
    package: '@caseward/webdriverio',
    isUsed: dependsOn('@wdio/cli', 'webdriverio'),
    configFiles: /^wdio\.conf\.[cm]?[jt]s$/,
    lines: () => ["services: [['@caseward/webdriverio', {}]],"],
    otherwise: 'wdio.conf.js, which “npx wdio config” makes',
    newConfig: () => null,
  },
  {
    name: 'node-test',
    title: "Node's own test runner",
    package: '@caseward/node-test',
    isUsed: ({ scripts }) => testScripts(scripts).length > 0,
    // It has none: what it is to do stands on its command line.
    configFiles: /^(?!)/,
    lines: ({ scripts }) => {
      const found = testScripts(scripts)
      return (found.length > 0 ? found : [['test', 'node --test'] as const])
        .filter(([, script]) => !script.includes('@caseward/node-test'))
        .map(([name, script]) => `${JSON.stringify(name)}: ${JSON.stringify(withReporter(script))},`)
    },
    otherwise: 'package.json, “scripts”',
    newConfig: () => null,
  },
]
