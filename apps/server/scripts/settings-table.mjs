// Writes the settings table of the README from src/settings; with --check fails when it differs.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { settings } from '../build/settings/settings.js'
import { getFileVariable } from '../build/secret-files.js'

const readme = fileURLToPath(new URL('../../../README.md', import.meta.url))
const markers = ['<!-- settings -->', '<!-- /settings -->']

const formatVariables = ({ env, isSecret }) => (isSecret ? `\`${env}\` or \`${getFileVariable(env)}\`` : `\`${env}\``)

const rows = Object.values(settings).map(({ default: fallback, doc, ...setting }) =>
  ['', formatVariables(setting), fallback === null ? '' : `\`${fallback}\``, doc, ''].join(' | ').trim(),
)
const table = ['| Setting | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n')

const text = await readFile(readme, 'utf8')
const [before, remaining] = text.split(markers[0])
const after = remaining?.split(markers[1])[1]
if (after === undefined) throw new Error(`README.md has no ${markers.join(' … ')}`)
const generated = `${before}${markers[0]}\n\n${table}\n\n${markers[1]}${after}`

// The formatter pads tables with spaces.
const normalizePadding = (page) => page.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')

if (!process.argv.includes('--check')) await writeFile(readme, generated)
else if (normalizePadding(generated) !== normalizePadding(text)) {
  console.error('The settings table in README.md differs from apps/server/src/settings. Run `npm run generated`.')
  process.exitCode = 1
}
