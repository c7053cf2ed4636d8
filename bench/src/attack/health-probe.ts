import { Agent, get } from 'node:http'

/** What the probe saw since the last report. */
export interface Health {
  slowestMs: number
  failures: number
  requests: number
}

// A process of its own, so that it measures the server and not the client that attacks it.
const INTERVAL_MS = 20
const TIMEOUT_MS = 10_000

const url = process.argv[2] ?? ''
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let health: Health = { slowestMs: 0, failures: 0, requests: 0 }

function measure(): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: TIMEOUT_MS }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - startedAt))
    })
    request.once('timeout', () => request.destroy(new Error('timeout'))).once('error', reject)
  })
}

async function probe(): Promise<void> {
  const startedAt = performance.now()
  try {
    health.slowestMs = Math.max(health.slowestMs, await measure())
  } catch {
    health.failures += 1
    health.slowestMs = Math.max(health.slowestMs, performance.now() - startedAt)
  }
  health.requests += 1
  setTimeout(() => void probe(), INTERVAL_MS)
}

process.on('message', () => {
  process.send?.(health)
  health = { slowestMs: 0, failures: 0, requests: 0 }
})
void probe()
