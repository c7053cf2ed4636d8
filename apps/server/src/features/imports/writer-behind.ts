/** Begins to write a page once the one before is written. @throws what went wrong with that one */
export type WriteBehind = (write: () => Promise<void>) => Promise<void>

/**
 * Runs work that has one page written while it plans the next one. When it returns or throws, no page is being written any more: one
 * that arrived later could replace what the next plan says.
 * @throws what went wrong with the work, or with the last page
 */
export async function withWriterBehind<T>(work: (writeBehind: WriteBehind) => Promise<T>): Promise<T> {
  let last = Promise.resolve()
  try {
    const result = await work(async (write) => {
      await last
      last = write()
      // The next page or the end throws it.
      last.catch(() => {})
    })
    await last
    return result
  } finally {
    await last.catch(() => {})
  }
}
