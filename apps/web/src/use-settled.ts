import { useEffect, useState } from 'react'

/**
 * Returns a value once it has stayed the same for a moment, so that typing does not send a request for each key.
 * @param delayMs in milliseconds
 */
export function useSettled<T>(value: T, delayMs = 200): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
