import { performance } from 'node:perf_hooks'
import { runInNewContext } from 'node:vm'

/*
 * A suite puts fakes in place of clocks, timers and fetch, and a test that fails leaves them there. What was there before
 * is taken when this is loaded: before the first test.
 */

/** The time now, told by a realm of its own: there nobody puts a fake, not even one who was here first. */
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
 * Puts back what a suite has replaced and not restored, once it has ended: not only our own code needs it, so does what
 * Node's fetch does inside. It stays, for a connection that outlives the upload would run into the fakes. Never throws.
 */
export function restoreGlobals(): void {
  for (const { holder, name, descriptor } of originals) {
    if (descriptor === undefined) Reflect.deleteProperty(holder, name)
    else Reflect.defineProperty(holder, name, descriptor)
  }
}
