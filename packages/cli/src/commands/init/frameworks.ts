import { addReporter, findTestScripts } from './node-test-scripts.ts'
import type { Project } from './read-project.ts'

/** A test framework, and how its reporter is configured. */
export interface Framework {
  readonly name: string
  readonly title: string
  /** The package of the reporter. */
  readonly package: string
  isUsed(project: Project): boolean
  /** The names of configuration files. */
  readonly configFiles: RegExp
  /** The field of package.json that can contain the configuration instead. */
  readonly manifestField?: string
  /** Returns the lines to add to an existing configuration. */
  getLines(project: Project): readonly string[]
  /** Where to add the lines if there is no configuration and none can be created. */
  readonly otherLocation?: string
  /** Returns a new configuration; null if it needs more than a reporter. */
  createConfig(project: Project): NewFile | null
}

export interface NewFile {
  readonly path: string
  readonly text: string
}

const dependsOn =
  (...names: string[]) =>
  ({ dependencies }: Project) =>
    names.some((name) => dependencies.includes(name))

/** Creates an ES module: TypeScript if the project uses it, or else `.mjs`, which does not depend on package.json. */
const createModule =
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
    getLines: () => ["reporter: [['list'], ['@caseward/playwright']],"],
    createConfig: createModule(
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
    getLines: () => [
      "import { caseward } from '@caseward/cypress'",
      '',
      'e2e: {',
      '  setupNodeEvents(on, config) {',
      '    caseward(on, config)',
      '    return config',
      '  },',
      '},',
    ],
    createConfig: createModule(
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
    // Vitest reads Vite's configuration if it has none of its own.
    configFiles: /^vi(?:test|te)\.config\.[cm]?[jt]s$/,
    getLines: () => ['test: {', "  reporters: ['default', '@caseward/vitest'],", '},'],
    createConfig: createModule(
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
    getLines: () => ["reporters: ['default', '@caseward/jest'],"],
    createConfig: () => ({
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
    getLines: () => ['"reporter": "@caseward/mocha"'],
    createConfig: () => ({ path: '.mocharc.json', text: '{\n  "reporter": "@caseward/mocha"\n}\n' }),
  },
  {
    name: 'webdriverio',
    title: 'WebdriverIO',
    package: '@caseward/webdriverio',
    isUsed: dependsOn('@wdio/cli', 'webdriverio'),
    configFiles: /^wdio\.conf\.[cm]?[jt]s$/,
    getLines: () => ["services: [['@caseward/webdriverio', {}]],"],
    otherLocation: 'wdio.conf.js, which “npx wdio config” creates',
    createConfig: () => null,
  },
  {
    name: 'node-test',
    title: 'Node.js test runner',
    package: '@caseward/node-test',
    isUsed: ({ scripts }) => findTestScripts(scripts).length > 0,
    // It has no configuration file, only command line options.
    configFiles: /^(?!)/,
    getLines: ({ scripts }) => {
      const testScripts = findTestScripts(scripts)
      return (testScripts.length > 0 ? testScripts : [['test', 'node --test'] as const])
        .filter(([, script]) => !script.includes('@caseward/node-test'))
        .map(([name, script]) => `${JSON.stringify(name)}: ${JSON.stringify(addReporter(script))},`)
    },
    otherLocation: 'package.json, “scripts”',
    createConfig: () => null,
  },
]
