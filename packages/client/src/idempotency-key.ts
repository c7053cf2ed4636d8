export const IDEMPOTENCY_KEY = 'idempotency-key'

/**
 * Creates a random key. `crypto.randomUUID` does not exist in pages without HTTPS, and Node.js 18 has no global `crypto`:
 * there, the key is only unlikely to be used twice by one token, which is all that is needed.
 */
export function createKey(): string {
  const bytes = new Uint8Array(16)
  if ('crypto' in globalThis) crypto.getRandomValues(bytes)
  else for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(Math.random() * 256)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
