/**
 * Returns the CPU time in milliseconds that this process spends, on all its threads, while work is done. Unlike the time on
 * the clock, it hardly grows when other programs keep the machine busy.
 */
export async function measureCpuTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
