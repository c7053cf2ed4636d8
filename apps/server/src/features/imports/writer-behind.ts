/** Writes one page while the next one is planned. */
export interface WriterBehind {
  /** Begins to write a page once the one before is written. @throws what went wrong with that one */
  write(work: () => Promise<void>): Promise<void>
  /** Waits for the last page. @throws what went wrong with it */
  end(): Promise<void>
}

export function createWriterBehind(): WriterBehind {
  let last = Promise.resolve()
  return {
    async write(work) {
      await last
      last = work()
      // Whoever writes the next page, or ends, is told.
      last.catch(() => {})
    },
    end: () => last,
  }
}
