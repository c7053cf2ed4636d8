import { totalmem } from 'node:os'

const MEBIBYTE = 1024 * 1024

/** PostgreSQL shares the machine with the service, and with the file cache, which it needs as well. */
const SHARE_OF_MEMORY = 1 / 8
const MIN_SHARED_BUFFERS_MB = 32
/** Beyond this, the file cache serves reads as well, and checkpoints take longer. */
const MAX_SHARED_BUFFERS_MB = 2048
/** The memory of all processes that may hold a part of the file cache, as the planner assumes it. */
const CACHE_SHARE_OF_MEMORY = 1 / 2

/** Returns the memory of the machine in megabytes, or of the container if its limit is lower. */
export function getMemoryMb(): number {
  // 0 or a huge number without a limit: https://docs.libuv.org/en/v1.x/misc.html#c.uv_get_constrained_memory
  const limit = process.constrainedMemory()
  const total = totalmem()
  return Math.floor((limit > 0 ? Math.min(limit, total) : total) / MEBIBYTE)
}

/**
 * Returns the settings that depend on the memory.
 * @param sharedBuffersMb replaces what follows from the memory; null for that
 */
export function getMemorySettings(memoryMb: number, sharedBuffersMb: number | null): Record<string, string> {
  const byMemory = Math.floor(memoryMb * SHARE_OF_MEMORY)
  const buffers = sharedBuffersMb ?? Math.min(Math.max(byMemory, MIN_SHARED_BUFFERS_MB), MAX_SHARED_BUFFERS_MB)
  return {
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.max(Math.floor(memoryMb * CACHE_SHARE_OF_MEMORY), buffers)}MB`,
  }
}
