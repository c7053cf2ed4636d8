import { performance } from 'node:perf_hooks'
import { runInNewContext } from 'node:vm'

/*
 * Tests replace clocks, timers and fetch by fakes, and a failed test may not restore them. This module saves the
 * originals when it is loaded, before the first test.
 */

/** The current time, from a separate realm that tests cannot replace. */
export const { now } = runInNewContext('Date') as Pick<DateConstructor, 'now'>

const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate']

const patchableGlobals: readonly (readonly [object, readonly string[]])[] = [
  [globalThis, [...timers, 'queueMicrotask', 'Date', 'performance', 'fetch']],
  [Date, ['now']],
  [performance, ['now']],
  [process, ['nextTick', 'hrtime']],
]

const originals = patchableGlobals.flatMap(([holder, names]) =>
  names.map((name) => ({ holder, name, descriptor: Object.getOwnPropertyDescriptor(holder, name) })),
)

/**
 * Restores the globals after the suite, because the upload and Node's fetch need them. The fakes are not put back, as a
 * connection may outlive the upload. Never throws.
 */
export function restoreGlobals(): void {
  for (const { holder, name, descriptor } of originals) {
    if (descriptor === undefined) Reflect.deleteProperty(holder, name)
    else Reflect.defineProperty(holder, name, descriptor)
  }
}
