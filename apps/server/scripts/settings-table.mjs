// Writes the README's table of settings from src/config.ts, or with --check fails when it differs.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { settings } from '../dist/config.js'

const readme = fileURLToPath(new URL('../../../README.md', import.meta.url))
const marks = ['<!-- settings -->', '<!-- /settings -->']

const rows = Object.values(settings).map(({ env, default: fallback, doc }) =>
  ['', `\`${env}\``, fallback === null ? '' : `\`${fallback}\``, doc, ''].join(' | ').trim(),
)
const table = ['| Setting | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n')

const text = await readFile(readme, 'utf8')
const [before, rest] = text.split(marks[0])
const after = rest?.split(marks[1])[1]
if (after === undefined) throw new Error(`README.md has no ${marks.join(' … ')}`)
const wanted = `${before}${marks[0]}\n\n${table}\n\n${marks[1]}${after}`

// The formatter pads tables: only the words count.
const words = (page) => page.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')

if (!process.argv.includes('--check')) await writeFile(readme, wanted)
else if (words(wanted) !== words(text)) {
  console.error("README.md's table of settings differs from apps/server/src/config.ts: run `npm run generated`")
  process.exitCode = 1
}
