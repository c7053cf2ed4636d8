import type { FolderRecord } from '../records.ts'

/** Makes the folders of paths, each once, with their ancestors before them. */
export class Folders {
  readonly #known = new Set<string>()
  readonly #counts = new Map<string | null, number>()

  /**
   * @param path names from the top; without any, there is no folder
   * @returns the key of the folder, and the records that are new
   */
  add(path: readonly string[]): { key: string | null; records: FolderRecord[] } {
    const records: FolderRecord[] = []
    let parent: string | null = null
    for (const name of path) {
      const key: string = parent === null ? escapeName(name) : `${parent}/${escapeName(name)}`
      if (!this.#known.has(key)) {
        this.#known.add(key)
        const position = this.next(parent)
        records.push({ kind: 'folder', key, name, parent, position })
      }
      parent = key
    }
    return { key: parent, records }
  }

  /** The position of the next folder or case within a folder. */
  next(parent: string | null): number {
    const position = this.#counts.get(parent) ?? 0
    this.#counts.set(parent, position + 1)
    return position
  }
}

const escapeName = (name: string) => name.replaceAll(/[\\/]/g, String.raw`\$&`)

/** Splits a path, and leaves out empty names. */
export const splitFolderPath = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '')

export const splitList = (text: string, separator: string | RegExp = ','): string[] =>
  text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '')
