import { AZURE_TOKEN, startFakeAzure } from '@caseward/test-support/fake-tools/azure'
import { NEWEST_RESULTS } from '@caseward/test-support/fake-tools/data-set'
import type { FakeTool } from '@caseward/test-support/fake-tools/fake-tool'
import { KIWI_PASSWORD, KIWI_USER, startFakeKiwi } from '@caseward/test-support/fake-tools/kiwi'
import { PRACTITEST_TOKEN, startFakePractitest } from '@caseward/test-support/fake-tools/practitest'
import { QASE_TOKEN, startFakeQase } from '@caseward/test-support/fake-tools/qase'
import { QTEST_TOKEN, startFakeQtest } from '@caseward/test-support/fake-tools/qtest'
import { startFakeTestlink, TESTLINK_KEY } from '@caseward/test-support/fake-tools/testlink'
import { startFakeTestmo, TESTMO_KEY } from '@caseward/test-support/fake-tools/testmo'
import { startFakeXray, XRAY_CLIENT } from '@caseward/test-support/fake-tools/xray'
import { startFakeZephyrScale, ZEPHYR_TOKEN } from '@caseward/test-support/fake-tools/zephyr-scale'
import { SQUAD_KEYS, SQUAD_USER, startFakeZephyrSquad } from '@caseward/test-support/fake-tools/zephyr-squad'

/** A tool, with what its fake has. */
export interface ToolCase {
  readonly system: string
  readonly start: () => Promise<FakeTool>
  /** How the tool calls the project, if not SHOP. */
  readonly project?: string
  /** `{url}` is the address of the fake. */
  readonly options?: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
  /** What is read of the data set. */
  readonly counts: Readonly<Record<string, number>>
  readonly files: number
  /** A list that has a third page. */
  readonly list: RegExp
  /** Runs that remain with `--since 2024-07-01`. */
  readonly since: number
  /** What a list that claims to be longer is called; null for a tool that does not say how long lists are. */
  readonly longer: RegExp | null
  readonly refused: RegExp
}

// Each has 130 test cases and 6 runs; 30 tests of the runs have no result.
export const TOOLS: readonly ToolCase[] = [
  {
    system: 'qase',
    start: startFakeQase,
    secrets: { QASE_API_TOKEN: QASE_TOKEN },
    counts: { case: 130, folder: 15, shared_steps: 2, milestone: 2, run: 6, result: 430 },
    files: 30,
    list: /\/v1\/case\/SHOP\?limit=100&offset=100/,
    since: 3,
    longer: /Qase says that cases has 131 entries, and answered with 130, twice\./,
    refused: /Qase does not accept your credentials \(401/,
  },
  {
    system: 'xray',
    start: startFakeXray,
    secrets: { XRAY_CLIENT_ID: XRAY_CLIENT.id, XRAY_CLIENT_SECRET: XRAY_CLIENT.secret },
    counts: { case: 130, folder: 15, plan: 3, run: 6, result: NEWEST_RESULTS },
    files: 30,
    list: /getTests\(.*start: 100/,
    since: 3,
    longer: /Xray says that tests has 131 entries, and answered with 130, twice\./,
    refused: /Xray does not accept your credentials \(401/,
  },
  {
    system: 'zephyr-scale',
    start: startFakeZephyrScale,
    secrets: { ZEPHYR_SCALE_TOKEN: ZEPHYR_TOKEN },
    counts: { case: 130, folder: 15, plan: 2, run: 6, result: 430 },
    files: 0,
    list: /\/v2\/testcases\?projectKey=SHOP&maxResults=100&startAt=100/,
    since: 3,
    longer: /Zephyr Scale says that testcases has 131 entries, and answered with 130, twice\./,
    refused: /Zephyr Scale does not accept your credentials \(401/,
  },
  {
    system: 'zephyr-squad',
    start: startFakeZephyrSquad,
    options: ['--user', SQUAD_USER, '--api-url', '{url}/connect'],
    secrets: {
      JIRA_API_TOKEN: SQUAD_KEYS.jira,
      ZEPHYR_ACCESS_KEY: SQUAD_KEYS.access,
      ZEPHYR_SECRET_KEY: SQUAD_KEYS.secret,
    },
    counts: { case: 130, run: 6, result: NEWEST_RESULTS },
    // Those of Jira; executions have their own.
    files: 20,
    list: /search\/jql .*"nextPageToken":"100"/,
    since: 3,
    longer: /Zephyr Squad says that executions -1 cycle-5 has 66 entries, and answered with 65, twice\./,
    refused: /Zephyr Squad does not accept your credentials \(401/,
  },
  {
    system: 'testlink',
    start: startFakeTestlink,
    secrets: { TESTLINK_DEV_KEY: TESTLINK_KEY },
    counts: { case: 130, folder: 15, run: 6, result: 400 },
    // Those of executions are not in its API.
    files: 20,
    list: /getTestCasesForTestSuite/,
    since: 3,
    longer: null,
    refused: /TestLink does not accept your credentials \(401/,
  },
  {
    system: 'kiwi',
    start: startFakeKiwi,
    options: ['--user', KIWI_USER],
    secrets: { KIWI_PASSWORD },
    counts: { case: 130, folder: 15, run: 6, result: NEWEST_RESULTS },
    files: 30,
    list: /TestCase\.filter.*"pk__gt":1000/,
    since: 3,
    longer: null,
    refused: /Kiwi TCMS does not accept your credentials \(401/,
  },
  {
    system: 'testmo',
    start: startFakeTestmo,
    project: '3',
    secrets: { TESTMO_API_KEY: TESTMO_KEY },
    // Its API has neither tests without a result nor files of results.
    counts: { case: 130, folder: 15, milestone: 2, run: 6, result: 400 },
    files: 20,
    list: /\/projects\/3\/cases.*page=3/,
    since: 3,
    longer: /Testmo says that cases has 131 entries, and answered with 130, twice\./,
    refused: /Testmo does not accept your credentials \(401/,
  },
  {
    system: 'azure',
    start: startFakeAzure,
    secrets: { AZURE_DEVOPS_TOKEN: AZURE_TOKEN },
    // Test cases use one of the shared steps.
    counts: { case: 130, folder: 15, shared_steps: 1, run: 6, result: NEWEST_RESULTS },
    files: 30,
    list: /\/wit\/wiql.*Id\] > 100 /,
    since: 3,
    // Lists end with a page without a successor, and have no length.
    longer: null,
    refused: /Azure DevOps does not accept your credentials \(401/,
  },
  {
    system: 'practitest',
    start: startFakePractitest,
    project: '3',
    secrets: { PRACTITEST_TOKEN },
    counts: { case: 130, milestone: 2, run: 6, result: 430 },
    files: 30,
    list: /\/tests\.json.*number%5D=3/,
    since: 3,
    longer: /PractiTest says that tests has 131 entries, and answered with 130, twice\./,
    refused: /PractiTest does not accept your credentials \(401/,
  },
  {
    system: 'qtest',
    start: startFakeQtest,
    project: '3',
    secrets: { QTEST_TOKEN },
    counts: { case: 130, folder: 15, milestone: 2, run: 6, result: 430 },
    files: 30,
    list: /\/test-cases\?.*page=3/,
    since: 3,
    longer: /qTest says that test logs \d+ has 2 entries, and answered with 1, twice\./,
    refused: /qTest does not accept your credentials \(401/,
  },
]
