import { availableParallelism, totalmem } from 'node:os'

import { defineConfig } from 'vitest/config'

import { specificationTags } from './apps/server/test/spec/specification.ts'
import { createSequencer } from './packages/test-support/src/file-order.ts'
import { createRunReport } from './packages/test-support/src/run-report.ts'

/** Starts PostgreSQL when the first test file asks for a database. */
const sharedPostgres = 'packages/test-support/src/global-setup.ts'

/** Builds what processes of the service run. */
const builtServer = 'packages/test-support/src/build-server.ts'

/** Measures each test file for `npm run test:times`. */
const recordTimes = 'packages/test-support/src/record-times.ts'

/** Tests of the command that distributes a database; `npm run test:citus` sets the variable. */
const citusTests = process.env['TEST_CITUS_URL'] ? ['apps/server/test/citus/*.citus.ts'] : []

/**
 * What `npm run test:more` runs in addition to `npm test`, which is to take twelve minutes on two processors: rarer states of the pages, rarer
 * settings of frameworks, other environments than those of most users, thousands of rows, generated requests and killed processes.
 * CONTRIBUTING.md says what belongs here.
 */
const MORE_TESTS = [
  'apps/server/src/access/slow-idempotent-requests.test.ts',
  'apps/server/src/features/*/*-cost.test.ts',
  'apps/server/src/features/assignments/assign-many-results.test.ts',
  'apps/server/src/features/audit/long-audit-csv.test.ts',
  'apps/server/src/features/auth/session/sign-in-flood.test.ts',
  'apps/server/src/features/combinations/large-run.test.ts',
  'apps/server/src/features/events/stalled-streams.test.ts',
  'apps/server/src/features/exports/project/{export-history,export-parts,hostile-*}.test.ts',
  'apps/server/src/features/fields/merge-options-of-many.test.ts',
  'apps/server/src/features/files/{copy-for-backups,move-files}.test.ts',
  'apps/server/src/features/imports/killed-*.test.ts',
  'apps/server/src/features/imports/{import-milestones,similar-imports,two-formats}.test.ts',
  'apps/server/src/features/reference/reference.test.ts',
  'apps/server/src/features/results/recent-results-plan.test.ts',
  'apps/server/src/features/runs/large-run.test.ts',
  'apps/server/src/features/test-cases/{history-of-many-runs,import-many-rows}.test.ts',
  'apps/server/src/features/uploads/create-many-test-cases.test.ts',
  'apps/server/src/features/uploads/upload-size-encodings.test.ts',
  'apps/server/src/main.*.test.ts',
  'apps/server/src/platform/backup/{backup-under-load,damaged-backups,older-backup}.test.ts',
  'apps/server/src/platform/database/*-migration.test.ts',
  'apps/server/src/platform/database/full-disk.test.ts',
  'apps/server/src/platform/database/interrupted-migrations.test.ts',
  'apps/server/src/platform/database/log-of-outages.test.ts',
  'apps/server/src/platform/database/lost-connections.test.ts',
  'apps/server/src/platform/database/migrate-while-serving.test.ts',
  'apps/server/src/platform/http/hostile-bodies.test.ts',
  'apps/server/src/platform/http/slow-clients.test.ts',
  'apps/server/src/platform/http/waiting-request-bodies.test.ts',
  'apps/server/src/platform/logging/log.test.ts',
  'apps/server/src/platform/mail/hanging-mail-server.test.ts',
  'apps/server/src/shutdown.*.test.ts',
  'apps/server/test/attack/*.test.ts',
  'apps/server/test/fuzz/fuzz-long.test.ts',
  'apps/server/test/matching-time.test.ts',
  'apps/server/test/migrations/*-migrations.test.ts',
  'apps/server/test/migrations/*-migration.test.ts',
  'apps/server/test/process/admin-commands-embedded.test.ts',
  'apps/server/test/process/backup-commands.test.ts',
  'apps/server/test/process/dev.test.ts',
  'apps/server/test/process/event-streams-behind-proxies.test.ts',
  'apps/server/test/process/file-commands.test.ts',
  'apps/server/test/process/files-*.test.ts',
  'apps/server/test/process/*-in-parts.test.ts',
  'apps/server/test/process/new-users.test.ts',
  'apps/server/test/process/rolling-restart.test.ts',
  'apps/server/test/redis/*.test.ts',
  'apps/server/test/two-servers/{access,announcements,events,imports,jobs}.test.ts',
  'e2e/cli/attach-large-file.test.ts',
  'e2e/cli/exec-rarely.test.ts',
  'e2e/cli/gate-without-answer.test.ts',
  'e2e/cli/import-killed.test.ts',
  'e2e/cli/import-killed-often.test.ts',
  'e2e/cli/import-large-files.test.ts',
  'e2e/cli/import-testrail.test.ts',
  'e2e/cli/import-tools.test.ts',
  'e2e/packages/package-managers.test.ts',
  'e2e/packages/release-rehearsal.test.ts',
  'e2e/packages/release.test.ts',
  'e2e/reporters/*-faults.test.ts',
  'e2e/reporters/ci-guide.test.ts',
  'e2e/reporters/ci-snippets.test.ts',
  'e2e/reporters/first-day.test.ts',
  'e2e/reporters/installed.test.ts',
  'e2e/reporters/killed-server.test.ts',
  'e2e/reporters/large-suites.test.ts',
  'e2e/reporters/monorepo.test.ts',
  'e2e/reporters/older-versions.test.ts',
  'e2e/reporters/proxy.test.ts',
  'e2e/reporters/same-suite.test.ts',
  'e2e/web/more/*.e2e.ts',
  'packages/embedded-postgres/src/disk.test.ts',
  'packages/embedded-postgres/src/ends-with-service.test.ts',
  'packages/embedded-postgres/src/existing-database.test.ts',
  'packages/embedded-postgres/src/first-start.test.ts',
  'packages/embedded-postgres/src/open-existing-postgres.test.ts',
  'packages/embedded-postgres/src/ordinary-account.test.ts',
  'packages/embedded-postgres/src/owner.test.ts',
  'packages/embedded-postgres/src/root.test.ts',
  'packages/embedded-postgres/src/stale-pid.test.ts',
  'packages/junit/src/hostile-sizes.test.ts',
]

/** They take longest, some of them because they wait. */
const SLOW_FILES = [
  'apps/server/test/permissions/permissions.test.ts',
  'apps/server/test/fuzz/fuzz.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/shutdown.test.ts',
  'apps/server/src/features/uploads/upload-durability.test.ts',
  'apps/server/src/features/exports/project/export-whole.test.ts',
  'apps/server/src/platform/database/outage.test.ts',
  'e2e/reporters/playwright.test.ts',
  'e2e/reporters/vitest.test.ts',
  'e2e/reporters/jest.test.ts',
  'e2e/reporters/webdriverio.test.ts',
  'e2e/reporters/mocha.test.ts',
  'e2e/web/every-page.e2e.ts',
]

/** A worker with the processes of its tests. */
const WORKER_BYTES = 1_500_000_000
/** The 50 connections of the database are enough for as many. */
const MAX_WORKERS = 6

/**
 * One worker more than processors, because tests also wait for PostgreSQL and other processes. With two processors, a fourth
 * one gains nothing.
 */
const workers = Math.min(availableParallelism() + 1, MAX_WORKERS, Math.max(1, Math.floor(totalmem() / WORKER_BYTES)))

/**
 * Tests with processes and browsers can run out of time on a busy machine. They run a second time then, and the report
 * marks them with `retry x1`, so that nobody has to guess whether one is unreliable.
 */
const RETRY = 1

/**
 * How long a test with processes, a browser or a database may take. The slowest ones need half of it on a busy machine;
 * only a test that hangs should fail because of time.
 */
const TIMEOUT_MS = 120_000
/** On a Citus cluster, every statement takes a few milliseconds more: thousands of uploads take minutes. */
const SERVER_TIMEOUT_MS = process.env['TEST_CITUS_URL'] ? 8 * TIMEOUT_MS : TIMEOUT_MS

/**
 * Both projects have the same settings. All files are in one of them, because each project loads the modules of the service again, in every
 * worker.
 */
const createProject = (name: string, files: { include: string[]; exclude?: string[] }) => ({
  // Tests import the sources of the packages, so that a stale build cannot make a test pass.
  resolve: { conditions: ['caseward-source'] },
  ssr: { resolve: { conditions: ['caseward-source'] } },
  test: {
    name,
    ...files,
    setupFiles: [recordTimes],
    // The files of a worker share its modules, which have no state: loading them for each file takes as long as the tests.
    isolate: false,
    retry: RETRY,
    // Only what never comes should fail, on a busy machine, too.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: [sharedPostgres, builtServer, 'e2e/web/build-app.ts', 'e2e/reporters/pack-packages.ts'],
    testTimeout: SERVER_TIMEOUT_MS,
    hookTimeout: 180_000,
  },
})

export default defineConfig({
  test: {
    tags: specificationTags,
    reporters: ['default', createRunReport()],
    sequence: { sequencer: createSequencer(SLOW_FILES) },
    maxWorkers: workers,
    projects: [
      createProject('core', {
        include: [
          'apps/*/src/**/*.test.ts',
          'apps/server/test/**/*.test.ts',
          'e2e/{cli,packages,reporters}/*.test.ts',
          'e2e/web/**/*.e2e.ts',
          'packages/*/src/**/*.test.ts',
          ...citusTests,
        ],
        exclude: MORE_TESTS,
      }),
      createProject('more', { include: MORE_TESTS }),
    ],
  },
})
