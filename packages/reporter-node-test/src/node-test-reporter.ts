import { createReporter } from '@caseward/reporter-core'

import type { NodeTestEvent } from './node-test-events.ts'
import { createEventReader } from './read-events.ts'

export type { NodeTestEvent } from './node-test-events.ts'

/**
 * Reporter for `node --test --test-reporter=@caseward/node-test --test-reporter-destination=stdout`. It prints nothing
 * there: what it has to say goes to the standard error output. Its settings are environment variables. In watch mode it
 * does nothing.
 */
// oxlint-disable-next-line eslint/require-yield
export default async function* caseward(events: AsyncIterable<NodeTestEvent>): AsyncGenerator<never, void> {
  if (isWatching(process.execArgv, process.env['NODE_OPTIONS'])) {
    // What is tried out while writing a test is nobody's result. Node wants its events to be read all the same.
    for await (const _ of events);
    return
  }
  const reporter = createReporter('node-test', {}, getShard(process.execArgv))
  const reader = createEventReader(reporter, process.cwd())
  // Ctrl-C and, with Node 20, `--test-force-exit` end the process at once. What is known by then is kept in the spool.
  const flush = () => void reader.leave()
  process.once('exit', flush)
  for await (const event of events) {
    try {
      reader.read(event)
    } catch {
      // An event of a shape that no known version has must not end the suite: it tells less, that is all.
    }
  }
  // Node waits for its reporters, so also for the upload.
  const { failsSuite } = await reporter.finish(reader.leave())
  process.off('exit', flush)
  if (failsSuite && (process.exitCode ?? 0) === 0) process.exitCode = 1
}

/** Whether tests run again with every change. */
function isWatching(nodeOptions: readonly string[], more = ''): boolean {
  return [...nodeOptions, ...more.split(/\s+/)].includes('--watch')
}

/** Of `--test-shard=1/3`. */
function getShard(nodeOptions: readonly string[]): { shard?: string; expectedShards?: number } {
  const [, shard, total] = /--test-shard[= ](\d+)\/(\d+)/.exec(nodeOptions.join(' ')) ?? []
  return shard === undefined ? {} : { shard, expectedShards: Number(total) }
}
