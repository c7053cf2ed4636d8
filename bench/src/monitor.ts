import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Memory and event loop of a process. */
export interface ProcessStats {
  /** Resident memory in megabytes: now, and the maximum since the start. */
  rssMb: number
  peakRssMb: number
  /** The longest time that the event loop was blocked since the last call, in milliseconds. */
  blockedMs: number
}

// Loaded into the measured process before its own code (`node --import`).
const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (message) => {
  if (message !== 'stats') return
  const stats: ProcessStats = {
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    blockedMs: delay.max / 1e6 - RESOLUTION_MS,
  }
  delay.reset()
  process.send?.(stats)
})
process.channel?.unref()
