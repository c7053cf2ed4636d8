import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { build } from 'vite'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { beforeAll, describe, expect, it } from 'vitest'

import { waitForApp } from './built-app.ts'

/* The sizes of the build, compressed with gzip, in KB of 1,000 bytes. */

const directory = fileURLToPath(new URL('../../apps/web/dist/app', import.meta.url))

/** Vite's manifest: chunks by the path of their source. */
type Manifest = Record<string, { file: string; name?: string; imports?: string[]; isDynamicEntry?: boolean }>

let manifest: Manifest
beforeAll(async () => {
  await waitForApp()
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

/** What a page adds, or a part that is loaded when it is shown. @param others what is loaded by then */
async function measureOver(key: string, others: readonly string[] = []): Promise<number> {
  const loaded = collectFrame()
  for (const other of others) collectFiles(other, loaded)
  return await measure([...collectFiles(key)].filter((file) => !loaded.has(file)))
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

  it.each([
    ['a comparison of versions', 10, 'case-versions/changed-notice.tsx', ['execution/execution.page.tsx']],
    [
      'an editor of custom fields',
      10,
      'fields/custom-fields.tsx',
      ['test-cases/cases.page.tsx', 'test-cases/case-panel.tsx'],
    ],
    ['a matrix of combinations', 8, 'configurations/combination-matrix.tsx', ['runs/run.page.tsx']],
  ])('has %s of at most %d KB over what is loaded before', async (_, limit, part, others) => {
    const key = `src/features/${part}`
    const size = await measureOver(
      key,
      others.map((other) => `src/features/${other}`),
    )
    expect(size).toBeLessThan(limit)
    expect(size).toBeGreaterThan(1)
    expect(manifest[key]?.isDynamicEntry).toBe(true)
  })

  it('has charts with axes of at most 8 KB together', async () => {
    const folder = fileURLToPath(new URL('../../apps/web/src/charts/', import.meta.url))
    const names = (await readdir(folder)).filter((name) => name.endsWith('.tsx'))
    const entry = join(await createTemporaryDirectory(), 'charts.js')
    await writeFile(entry, names.map((name) => `export * from ${JSON.stringify(join(folder, name))}`).join('\n'))
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      // As users get it: tests would have the names and places of components in it.
      oxc: { jsx: { runtime: 'automatic', development: false } },
      build: {
        write: false,
        lib: { entry, formats: ['es'] },
        // Only what is in the folder.
        rolldownOptions: {
          external: (id) => id !== entry && !id.startsWith('./') && !id.startsWith(folder),
          output: { minify: true },
        },
      },
    })
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((part) => ('output' in part ? part.output : []))
    const code = outputs.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
    expect(code).toContain('ArrowLeft')
    const kb = gzipSync(code, { level: 9 }).length / 1000
    expect(kb).toBeLessThan(8)
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
