import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Memory and event loop of a process. */
export interface ProcessStats {
  /** Resident memory in megabytes: now, and the maximum since the start or since it was reset. */
  rssMb: number
  peakRssMb: number
  /** The longest time that the event loop was blocked since the last call, in milliseconds. */
  blockedMs: number
  /** Processor time since the start, in milliseconds. */
  cpuMs: number
}

// Loaded into the measured process before its own code (`node --import`).
const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (message) => {
  if (message === 'reset-peak') resetPeak()
  // Exists with the option --expose-gc.
  if (message === 'collect-garbage') globalThis.gc?.()
  if (message !== 'stats') return
  const { user, system } = process.cpuUsage()
  const stats: ProcessStats = {
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    peakRssMb: getPeakRssKb() / 1024,
    blockedMs: delay.max / 1e6 - RESOLUTION_MS,
    cpuMs: (user + system) / 1000,
  }
  delay.reset()
  process.send?.(stats)
})
process.channel?.unref()

/** On Linux, the maximum of the process itself can be read and reset (`man 5 proc`). `maxRSS` includes its parent's. */
function getPeakRssKb(): number {
  try {
    const [, peakKb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (peakKb !== undefined) return Number(peakKb)
  } catch {
    // Another system.
  }
  return process.resourceUsage().maxRSS
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Another system: the maximum since the start remains.
  }
}
