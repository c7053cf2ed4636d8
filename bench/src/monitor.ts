import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What a server says of itself when asked. */
export interface ProcessStats {
  /** Resident memory in megabytes: now, and the most since it started. */
  rssMb: number
  peakRssMb: number
  /** The longest time that the event loop was held since it was last asked, in milliseconds. */
  heldMs: number
}

// Loaded into the measured process before its own code (`node --import`).
const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (message) => {
  if (message !== 'vitals') return
  const vitals: ProcessStats = {
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    heldMs: delay.max / 1e6 - RESOLUTION_MS,
  }
  delay.reset()
  process.send?.(vitals)
})
process.channel?.unref()
