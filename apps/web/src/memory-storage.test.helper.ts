import type { KeyValueStorage } from './browser-storage.ts'

/** A stand-in for `localStorage`, which Node.js does not have. Survives a reload of the "page" that uses it. */
export class MemoryStorage implements KeyValueStorage {
  readonly items = new Map<string, string>()
  /** Characters of keys and values; `setItem` throws above it, as browsers do. */
  limit = Infinity
  /** Called after every change, as other tabs see it. */
  onChange: (key: string) => void = () => {}

  get length() {
    return this.items.size
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null
  }
  getItem(key: string) {
    return this.items.get(key) ?? null
  }
  setItem(key: string, value: string) {
    const others = [...this.items].filter(([name]) => name !== key)
    const size = others.reduce((sum, [name, text]) => sum + name.length + text.length, key.length + value.length)
    if (size > this.limit) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    this.items.set(key, value)
    this.onChange(key)
  }
  removeItem(key: string) {
    this.items.delete(key)
    this.onChange(key)
  }
}
