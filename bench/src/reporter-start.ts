/*
 * A process that loads a module of Node.js, which many suites load, and then a reporter. Prints the time of the processor for both:
 * what else runs on the machine hardly changes their ratio.
 */

const getCpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const startMs = getCpuMs()
await import('node:https')
const loadedMs = getCpuMs()
const { createReporter } = await import('@caseward/reporter-core')
createReporter('bench')
process.stdout.write(JSON.stringify({ moduleCpuMs: loadedMs - startMs, startCpuMs: getCpuMs() - loadedMs }))
