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
  getLines(project: Project, options: ReporterOptions): readonly string[]
  /** Where to add the lines if there is no configuration and none can be created. */
  readonly otherLocation?: string
  /** Returns a new configuration; null if it needs more than a reporter. */
  createConfig(project: Project, options: ReporterOptions): NewFile | null
  /** Returns the command that runs the suite once. */
  getCommand(project: Project): readonly string[]
}

/** The options of the reporter in its configuration. */
export interface ReporterOptions {
  /** Whether test cases are created for tests that match none. */
  readonly createCases: boolean
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
  (name: string, getText: (options: ReporterOptions) => string) =>
  ({ dependencies }: Project, options: ReporterOptions): NewFile => ({
    path: `${name}.${dependencies.includes('typescript') ? 'ts' : 'mjs'}`,
    text: getText(options),
  })

/** Returns a reporter for a list of reporters, with its options if it needs any. */
const formatReporter = (name: string, { createCases }: ReporterOptions) =>
  createCases ? `['${name}', { createCases: true }]` : `'${name}'`

/** Returns the reporter as a list of its own, which Playwright and WebdriverIO expect. */
const formatEntry = (name: string, { createCases }: ReporterOptions) =>
  createCases ? `['${name}', { createCases: true }]` : `['${name}']`

const formatCypressCall = ({ createCases }: ReporterOptions) =>
  createCases ? 'caseward(on, config, { createCases: true })' : 'caseward(on, config)'

const formatMochaLines = ({ createCases }: ReporterOptions) => [
  `"reporter": "@caseward/mocha"${createCases ? ',' : ''}`,
  ...(createCases ? ['"reporter-option": ["createCases=true"]'] : []),
]

export const frameworks: readonly Framework[] = [
  {
    name: 'playwright',
    title: 'Playwright Test',
    package: '@caseward/playwright',
    isUsed: dependsOn('@playwright/test'),
    configFiles: /^playwright\.config\.[cm]?[jt]s$/,
    getLines: (_, options) => [`reporter: [['list'], ${formatEntry('@caseward/playwright', options)}],`],
    createConfig: createModule(
      'playwright.config',
      (options) => `import { defineConfig } from '@playwright/test'

export default defineConfig({
  reporter: [['list'], ${formatEntry('@caseward/playwright', options)}],
})
`,
    ),
    getCommand: () => ['npx', 'playwright', 'test'],
  },
  {
    name: 'cypress',
    title: 'Cypress',
    package: '@caseward/cypress',
    isUsed: dependsOn('cypress'),
    configFiles: /^cypress\.config\.[cm]?[jt]s$/,
    getLines: (_, options) => [
      "import { caseward } from '@caseward/cypress'",
      '',
      'e2e: {',
      '  setupNodeEvents(on, config) {',
      `    ${formatCypressCall(options)}`,
      '    return config',
      '  },',
      '},',
    ],
    createConfig: createModule(
      'cypress.config',
      (options) => `import { caseward } from '@caseward/cypress'
import { defineConfig } from 'cypress'

export default defineConfig({
  e2e: {
    setupNodeEvents(on, config) {
      ${formatCypressCall(options)}
      return config
    },
  },
})
`,
    ),
    getCommand: () => ['npx', 'cypress', 'run'],
  },
  {
    name: 'vitest',
    title: 'Vitest',
    package: '@caseward/vitest',
    isUsed: dependsOn('vitest'),
    // Vitest reads Vite's configuration if it has none of its own.
    configFiles: /^vi(?:test|te)\.config\.[cm]?[jt]s$/,
    getLines: (_, options) => [
      'test: {',
      `  reporters: ['default', ${formatReporter('@caseward/vitest', options)}],`,
      '},',
    ],
    createConfig: createModule(
      'vitest.config',
      (options) => `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { reporters: ['default', ${formatReporter('@caseward/vitest', options)}] },
})
`,
    ),
    getCommand: () => ['npx', 'vitest', 'run'],
  },
  {
    name: 'jest',
    title: 'Jest',
    package: '@caseward/jest',
    isUsed: dependsOn('jest'),
    configFiles: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
    manifestField: 'jest',
    getLines: (_, options) => [`reporters: ['default', ${formatReporter('@caseward/jest', options)}],`],
    createConfig: (_, options) => ({
      path: 'jest.config.mjs',
      text: `export default {\n  reporters: ['default', ${formatReporter('@caseward/jest', options)}],\n}\n`,
    }),
    getCommand: () => ['npx', 'jest'],
  },
  {
    name: 'mocha',
    title: 'Mocha',
    package: '@caseward/mocha',
    isUsed: dependsOn('mocha'),
    configFiles: /^\.mocharc\.(?:[cm]?js|json|jsonc|ya?ml)$/,
    manifestField: 'mocha',
    getLines: (_, options) => formatMochaLines(options),
    createConfig: (_, options) => ({
      path: '.mocharc.json',
      text: `{\n${formatMochaLines(options)
        .map((line) => `  ${line}\n`)
        .join('')}}\n`,
    }),
    getCommand: () => ['npx', 'mocha'],
  },
  {
    name: 'webdriverio',
    title: 'WebdriverIO',
    package: '@caseward/webdriverio',
    isUsed: dependsOn('@wdio/cli', 'webdriverio'),
    configFiles: /^wdio\.conf\.[cm]?[jt]s$/,
    getLines: (_, { createCases }) => [
      `services: [['@caseward/webdriverio', ${createCases ? '{ createCases: true }' : '{}'}]],`,
    ],
    otherLocation: 'wdio.conf.js, which “npx wdio config” creates',
    createConfig: () => null,
    getCommand: ({ files }) => [
      'npx',
      'wdio',
      'run',
      files.find((name) => name.startsWith('wdio.conf.')) ?? 'wdio.conf.js',
    ],
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
    getCommand: ({ scripts }) => ['npm', 'run', findTestScripts(scripts)[0]?.[0] ?? 'test'],
  },
]
