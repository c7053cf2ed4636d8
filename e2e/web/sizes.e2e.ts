import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { beforeAll, describe, expect, it } from 'vitest'

/* The sizes of the build, compressed with gzip, in KB of 1,000 bytes. */

const directory = fileURLToPath(new URL('../../apps/web/dist/app', import.meta.url))

/** Vite's manifest: chunks by the path of their source. */
type Manifest = Record<string, { file: string; name?: string; imports?: string[]; isDynamicEntry?: boolean }>

let manifest: Manifest
beforeAll(async () => {
  manifest = JSON.parse(await readFile(join(directory, '.vite/manifest.json'), 'utf8')) as Manifest
})

/** The files that a browser loads before it can run a chunk. */
function collectFiles(key: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (chunk === undefined || files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) collectFiles(imported, files)
  return files
}

async function measure(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(join(directory, file)), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** What every page needs: the entry, and the frame, which is loaded at the same time as the page. */
const collectFrame = () => new Set([...collectFiles('index.html'), ...collectFiles('src/shell/app-shell.tsx')])

/** What a page adds. */
async function measureOver(key: string): Promise<number> {
  const frame = collectFrame()
  return await measure([...collectFiles(key)].filter((file) => !frame.has(file)))
}

describe('the build', () => {
  it('has an entry of at most 165 KB', async () => {
    const size = await measure(collectFiles('index.html'))
    expect(size).toBeLessThan(165)
    expect(size).toBeGreaterThan(80)
  })

  it('has pages of at most 85 KB over their frame', async () => {
    const pages = Object.keys(manifest).filter((key) => key.endsWith('.page.tsx'))
    expect(pages.length).toBeGreaterThan(0)
    const sizes = await Promise.all(pages.map(async (key) => [key, await measureOver(key)] as const))
    expect(sizes.filter(([, size]) => size > 85)).toEqual([])
  })

  it('loads at most 250 KB for the first page, with its frame', async () => {
    const pages = Object.keys(manifest).filter((key) => key.endsWith('.page.tsx'))
    const sizes = await Promise.all(
      pages.map(async (key) => [key, await measure(new Set([...collectFrame(), ...collectFiles(key)]))] as const),
    )
    expect(sizes.filter(([, size]) => size > 250 || size < 150)).toEqual([])
  })

  it('has a viewer of files of at most 25 KB, which is loaded when a file is opened', async () => {
    const execution = new Set([...collectFrame(), ...collectFiles('src/features/execution/execution.page.tsx')])
    const dialog = 'src/features/files/viewer/viewer-dialog.tsx'
    const own = [...collectFiles(dialog)].filter((file) => !execution.has(file))
    expect(await measure(own)).toBeLessThan(25)
    expect(manifest[dialog]?.isDynamicEntry).toBe(true)
  })

  it('has 25 KB of styles in all', async () => {
    const files = await readdir(join(directory, 'assets'))
    expect(await measure(files.filter((name) => name.endsWith('.css')).map((name) => `assets/${name}`))).toBeLessThan(
      25,
    )
  })

  it('does not contain the page of all components', async () => {
    expect(Object.keys(manifest).filter((key) => key.includes('gallery'))).toEqual([])
  })

  it('has compressed copies of every large file', async () => {
    const files = await readdir(join(directory, 'assets'))
    const scripts = files.filter((name) => /\.(?:js|css)$/.test(name))
    const sizes = await Promise.all(
      scripts.map(async (name) => (await readFile(join(directory, 'assets', name))).length),
    )
    const large = scripts.filter((_, index) => (sizes[index] ?? 0) >= 1024)
    expect(large.filter((name) => !files.includes(`${name}.br`) || !files.includes(`${name}.gz`))).toEqual([])
  })
})
