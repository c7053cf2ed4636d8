import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { type Figure, formatTable, meetsLimit } from './figures.ts'

const path = fileURLToPath(new URL('../README.md', import.meta.url))
const SEPARATOR = '## The web app\n'

/** Prints figures as a table, and how many miss their limits. @returns the table */
export function printFigures(figures: readonly Figure[]): string {
  const table = formatTable(figures)
  process.stdout.write(`${table}\n`)
  const missed = figures.filter((figure) => !meetsLimit(figure))
  process.stderr.write(
    missed.length === 0 ? 'All figures meet their limits.\n' : `${missed.length} figures miss their limits.\n`,
  )
  return table
}

/** Replaces one of the two sections of the README: that of the service, which begins it, or that of the web app. */
export async function writeSection(section: 'service' | 'web', text: string): Promise<void> {
  const readme = await readFile(path, 'utf8')
  const start = readme.indexOf(SEPARATOR)
  const [service, web] = start === -1 ? [readme, ''] : [readme.slice(0, start), readme.slice(start)]
  await writeFile(path, section === 'service' ? `${text}\n${web}` : `${service.trimEnd()}\n\n${text}`)
  // Aligns the tables, as `npm run check` demands.
  execFileSync('npx', ['oxfmt', path])
}
