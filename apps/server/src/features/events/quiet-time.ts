/** Knows since when nothing has changed in each project. */
export interface QuietTime {
  noteChange(projectId: string): void
  /** Changes of any project may have been missed until now. */
  reset(): void
  /** Returns for how long nothing has changed in a project, in milliseconds; less if it was not observed for as long. */
  getQuietMs(projectId: string): number
}

/** An entry has some 100 bytes. */
const MAX_PROJECTS = 10_000

/** @param now a clock in milliseconds that never goes back */
export function createQuietTime(now: () => number = () => performance.now()): QuietTime {
  let observedSince = now()
  const changedAt = new Map<string, number>()
  function reset(): void {
    observedSince = now()
    changedAt.clear()
  }
  return {
    noteChange(projectId) {
      if (changedAt.size >= MAX_PROJECTS && !changedAt.has(projectId)) reset()
      changedAt.set(projectId, now())
    },
    reset,
    getQuietMs: (projectId) => Math.floor(now() - (changedAt.get(projectId) ?? observedSince)),
  }
}
