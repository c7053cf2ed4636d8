import { createGuard, createReporter, prepareAttachments } from '@caseward/reporter-core'

import type { NodeTestEvent } from './framework-types.ts'
import { createEventReader } from './read-events.ts'

export type { NodeTestEvent } from './framework-types.ts'

// Node starts the first test files before it calls the reporter.
if (!isWatching(process.execArgv, process.env['NODE_OPTIONS'])) prepareAttachments()

/**
 * Reporter for `node --test --test-reporter=@caseward/node-test --test-reporter-destination=stdout`. Its settings are
 * environment variables. It prints only to standard error, and does nothing in watch mode.
 */
// oxlint-disable-next-line eslint/require-yield
export default async function* caseward(events: AsyncIterable<NodeTestEvent>): AsyncGenerator<never, void> {
  if (isWatching(process.execArgv, process.env['NODE_OPTIONS'])) {
    // Node requires that its events are read.
    for await (const _ of events);
    return
  }
  const reporter = createReporter('node-test', {}, getShard(process.execArgv))
  const guard = createGuard('node-test', (error) => reporter.recordSuiteError(error))
  const reader = createEventReader(reporter, process.cwd(), guard)
  // Ctrl-C and, in Node 20, `--test-force-exit` end the process immediately. The results so far are saved in the spool.
  const flush = () => void reader.end()
  process.once('exit', flush)
  for await (const event of events) reader.read(event)
  // Node waits for its reporters, including the upload.
  const { failsSuite } = await reporter.finish(reader.end())
  process.off('exit', flush)
  if (failsSuite && (process.exitCode ?? 0) === 0) process.exitCode = 1
}

function isWatching(execArgv: readonly string[], nodeOptions = ''): boolean {
  return [...execArgv, ...nodeOptions.split(/\s+/)].includes('--watch')
}

/** Parses `--test-shard=1/3`. */
function getShard(execArgv: readonly string[]): { shard?: string; expectedShards?: number } {
  const [, shard, total] = /--test-shard[= ](\d+)\/(\d+)/.exec(execArgv.join(' ')) ?? []
  return shard === undefined ? {} : { shard, expectedShards: Number(total) }
}
