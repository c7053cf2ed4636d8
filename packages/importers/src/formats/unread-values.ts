import type { Losses } from '../losses.ts'
import { isRaw, type Raw } from './caseward/read-values.ts'
import type { System } from './format.ts'
import { isMeaningless } from './meaningless-values.ts'
import { READ_VALUES } from './read-value-paths.ts'
import { hasPath, parsePaths, type ValuePaths } from './value-paths.ts'

/** A value can have any name: beyond so many, all others are counted together. */
const MAX_NAMES = 5000
const MAX_DEPTH = 12

const READ_PATHS = new Map<System, ValuePaths>()

/** A value of the answers by its path, such as `cases.labels.title`, with what is in it. */
interface Place {
  readonly path: string
  readonly isRead: boolean
  /** So is then all that is in it. */
  readonly isMeaningless: boolean
  readonly inner: Map<string, Place>
  count: number
  /** The first object that has it. */
  key: string
}

/** Counts values that the reader of a tool does not read, and that mean something to people. */
export class UnreadValues {
  readonly #system: System
  readonly #paths: ValuePaths
  readonly #lists = new Map<string, Place>()
  readonly #places: Place[] = []
  readonly #others: Place = {
    path: '…',
    isRead: false,
    isMeaningless: false,
    inner: new Map(),
    count: 0,
    key: '',
  }
  constructor(system: System) {
    this.#system = system
    this.#paths = READ_PATHS.get(system) ?? parsePaths(READ_VALUES[system] ?? '')
    READ_PATHS.set(system, this.#paths)
  }

  /** Counts what an object of a list has beside what is read. */
  count(list: string, item: Raw): void {
    const place = this.#lists.get(list) ?? this.#create(list, list, false)
    this.#lists.set(list, place)
    this.#walk(place, item, getName(item))
  }

  report(losses: Losses): void {
    for (const { path, count, key } of [...this.#places, this.#others]) {
      if (count === 0) continue
      const [list = '', ...names] = path.split('.')
      losses.add(`not_imported:values_of_${list}`, { key, place: names.join('.') }, count)
    }
  }

  #walk(place: Place, value: unknown, key: string, depth = 0): void {
    if (depth < MAX_DEPTH && Array.isArray(value)) {
      for (const inner of value as unknown[]) this.#walk(place, inner, key, depth + 1)
    } else if (depth < MAX_DEPTH && isRaw(value)) {
      for (const [name, inner] of Object.entries(value)) this.#walk(this.#find(place, name), inner, key, depth + 1)
    } else if (!place.isRead && !place.isMeaningless && isFilled(value)) {
      if (place.count === 0) place.key = key
      place.count += 1
    }
  }

  /** Objects by their numbers are as those of a list. */
  #find(place: Place, name: string): Place {
    const known = place.inner.get(name)
    if (known !== undefined) return known
    if (/^\d+$/.test(name)) return place
    if (this.#places.length >= MAX_NAMES) return this.#others
    const path = `${place.path}.${name}`
    const found = this.#paths.recursive.has(path) ? place : this.#create(path, name, place.isMeaningless)
    place.inner.set(name, found)
    return found
  }

  #create(path: string, name: string, isInMeaningless: boolean): Place {
    const place = {
      path,
      isRead: hasPath(this.#paths, path),
      isMeaningless: isInMeaningless || isMeaningless(this.#system, path, name),
      inner: new Map<string, Place>(),
      count: 0,
      key: '',
    }
    this.#places.push(place)
    return place
  }
}

/** What tools answer with for nothing. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim() !== ''
    : typeof value === 'number'
      ? value !== 0
      : typeof value === 'boolean'
        ? value
        : value !== null && value !== undefined

function getName(item: Raw): string {
  const name = item['key'] ?? item['pid'] ?? item['id'] ?? item['issueId']
  return typeof name === 'string' || typeof name === 'number' ? String(name) : ''
}
