/** Resolves or rejects as the promise does; rejects when that takes longer than `timeoutMs`. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`timed out after ${timeoutMs} ms`))
    // After a time in which the process was busy, a response that has arrived is read before the setImmediate callback.
    const timer = setTimeout(() => setImmediate(fail), timeoutMs)
    promise.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
