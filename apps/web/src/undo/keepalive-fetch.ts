/** Browsers send at most 64 KiB of all `keepalive` requests together; the rest is for other deletions and headers. */
const KEEPALIVE_BYTES = 48 * 1024

const getSize = (body: string): number => new TextEncoder().encode(body).byteLength

/**
 * Whether a request with this body survives closing the page. If not, ask before deleting instead of delaying it: 4,000 test
 * cases fit.
 */
export const canOutlivePage = (body: unknown): boolean => getSize(JSON.stringify(body)) <= KEEPALIVE_BYTES

/** fetch for requests while the page is being closed: the browser continues them. Browsers refuse larger bodies with it. */
export const keepaliveFetch: typeof fetch = (input, init) => {
  const size = typeof init?.body === 'string' ? getSize(init.body) : 0
  return fetch(input, { ...init, keepalive: size <= KEEPALIVE_BYTES })
}
