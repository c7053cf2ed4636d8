/** The CI systems with a snippet of their own; a shell fits every other. */
export const CI_SYSTEMS = ['github', 'gitlab', 'jenkins', 'shell'] as const
export type CiSystem = (typeof CI_SYSTEMS)[number]

/** What reports the results: JUnit files of any tool, or a reporter. */
export const TEST_TOOLS = [
  'junit',
  'playwright',
  'cypress',
  'vitest',
  'jest',
  'mocha',
  'webdriverio',
  'node-test',
] as const
export type TestTool = (typeof TEST_TOOLS)[number]

/** Something to paste into a file or a terminal. */
export interface Snippet {
  /** Where it goes. */
  readonly title: string
  readonly text: string
  /** What else must be done, in a sentence. */
  readonly note?: string
}

export interface SnippetSettings {
  /** The address of this server, without a slash at the end. */
  readonly url: string
  readonly projectId: string
}

const UPLOAD = "npx caseward upload 'test-results/**/*.xml'"

/** The variable in which CI systems keep the secret of the token. */
export const TOKEN_VARIABLE = 'SERVICE_TOKEN'

interface Reporter {
  readonly config: Snippet | null
  readonly command: string
}

const formatModule = (...lines: string[]) => `${lines.join('\n')}\n`

const reporters: Readonly<Record<Exclude<TestTool, 'junit'>, Reporter>> = {
  playwright: {
    config: {
      title: 'playwright.config.ts',
      text: formatModule(
        "import { defineConfig } from '@playwright/test'",
        '',
        'export default defineConfig({',
        "  reporter: [['list'], ['@caseward/playwright']],",
        '})',
      ),
    },
    command: 'npx playwright test',
  },
  cypress: {
    config: {
      title: 'cypress.config.mjs',
      text: formatModule(
        "import { caseward } from '@caseward/cypress'",
        "import { defineConfig } from 'cypress'",
        '',
        'export default defineConfig({',
        '  e2e: {',
        '    setupNodeEvents(on, config) {',
        '      caseward(on, config)',
        '      return config',
        '    },',
        '  },',
        '})',
      ),
    },
    command: 'npx cypress run',
  },
  vitest: {
    config: {
      title: 'vitest.config.mjs',
      text: formatModule(
        "import { defineConfig } from 'vitest/config'",
        '',
        'export default defineConfig({',
        "  test: { reporters: ['default', '@caseward/vitest'] },",
        '})',
      ),
    },
    command: 'npx vitest run',
  },
  jest: {
    config: {
      title: 'jest.config.mjs',
      text: formatModule('export default {', "  reporters: ['default', '@caseward/jest'],", '}'),
    },
    command: 'npx jest',
  },
  mocha: {
    config: { title: '.mocharc.json', text: formatModule('{', '  "reporter": "@caseward/mocha"', '}') },
    command: 'npx mocha',
  },
  webdriverio: {
    config: {
      title: 'wdio.conf.js',
      text: "services: [['@caseward/webdriverio', {}]],\n",
      note: 'Add the line to the configuration that “npx wdio config” creates.',
    },
    command: 'npx wdio run wdio.conf.js',
  },
  'node-test': {
    config: null,
    command:
      'node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=@caseward/node-test --test-reporter-destination=stdout',
  },
}

interface Job extends SnippetSettings {
  /** Installs and runs the tests. */
  readonly commands: readonly string[]
  /** Sends their results, also when tests failed; null if a reporter does. */
  readonly upload: string | null
}

const formatters: Readonly<Record<CiSystem, (job: Job) => Required<Snippet>>> = {
  github: ({ url, projectId, commands, upload }) => ({
    title: '.github/workflows/tests.yml',
    note: `Store the token as the secret ${TOKEN_VARIABLE} of the repository: Settings, Secrets and variables, Actions.`,
    text: formatModule(
      'name: Tests',
      'on: [push]',
      'jobs:',
      '  tests:',
      '    runs-on: ubuntu-latest',
      '    env:',
      `      SERVICE_URL: ${url}`,
      `      SERVICE_PROJECT_ID: ${projectId}`,
      `      SERVICE_TOKEN: \${{ secrets.${TOKEN_VARIABLE} }}`,
      '    steps:',
      '      - uses: actions/checkout@v5',
      '      - uses: actions/setup-node@v5',
      '        with:',
      '          node-version: 22',
      ...commands.map((command) => `      - run: ${command}`),
      ...(upload === null ? [] : [`      - run: ${upload}`, '        if: always()']),
    ),
  }),
  gitlab: ({ url, projectId, commands, upload }) => ({
    title: '.gitlab-ci.yml',
    note: `Store the token as the masked variable ${TOKEN_VARIABLE} of the project: Settings, CI/CD, Variables.`,
    text: formatModule(
      'tests:',
      '  image: node:22',
      '  variables:',
      `    SERVICE_URL: ${url}`,
      `    SERVICE_PROJECT_ID: ${projectId}`,
      '  script:',
      ...commands.map((command) => `    - ${command}`),
      ...(upload === null ? [] : ['  after_script:', `    - ${upload}`]),
    ),
  }),
  jenkins: ({ url, projectId, commands, upload }) => ({
    title: 'Jenkinsfile',
    note: `Store the token as a credential of the kind “Secret text” with the id ${TOKEN_VARIABLE}: Manage Jenkins, Credentials.`,
    text: formatModule(
      'pipeline {',
      '  agent any',
      '  environment {',
      `    SERVICE_URL = '${url}'`,
      `    SERVICE_PROJECT_ID = '${projectId}'`,
      `    SERVICE_TOKEN = credentials('${TOKEN_VARIABLE}')`,
      '  }',
      '  stages {',
      "    stage('Tests') {",
      '      steps {',
      ...commands.map((command) => `        sh "${command}"`),
      '      }',
      '    }',
      '  }',
      ...(upload === null ? [] : ['  post {', '    always {', `      sh "${upload}"`, '    }', '  }']),
      '}',
    ),
  }),
  shell: ({ url, projectId, commands, upload }) => ({
    title: 'Any other CI system',
    note: `The CI system sets ${TOKEN_VARIABLE} as a secret. Jobs with the same run key share one run.`,
    text: formatModule(
      `export SERVICE_URL=${url}`,
      `export SERVICE_PROJECT_ID=${projectId}`,
      'export SERVICE_RUN_KEY="build $(date +%s)"',
      ...commands,
      ...(upload === null ? [] : [upload]),
    ),
  }),
}

/** Returns what to paste, in order, so that CI uploads its results. Each works as it stands. */
export function buildCiSnippets(ci: CiSystem, tool: TestTool, settings: SnippetSettings): Snippet[] {
  const format = formatters[ci]
  if (tool === 'junit') {
    const snippet = format({ ...settings, commands: ['npm ci', 'npm test'], upload: UPLOAD })
    return [{ ...snippet, note: `The tests write JUnit XML into test-results. ${snippet.note}` }]
  }
  const { config, command } = reporters[tool]
  return [
    { title: 'In the directory of the tests', text: `npm install --save-dev @caseward/${tool}\n` },
    ...(config === null ? [] : [config]),
    format({ ...settings, commands: ['npm ci', command], upload: null }),
  ]
}
