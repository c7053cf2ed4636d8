// Fails if source files import each other in a circle. Counts types and files that are loaded later with `import()`, which the
// lint rule `import/no-cycle` leaves out.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { parseSync } from 'oxc-parser'

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'])
const isSource = (file) => /^(?:apps|bench|packages)\/(?:.*\/)?src\//.test(file) && existsSync(file)
const files = listed.toString().split('\n').filter(isSource)
const known = new Set(files)

/** Returns the files that a file imports, by paths relative to it. */
function readImports(file) {
  const text = readFileSync(file, 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const paths = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
  return paths.map((path) => join(dirname(file), path)).filter((path) => known.has(path))
}

const imports = new Map(files.map((file) => [file, readImports(file)]))

/** Returns a circle of imports as a list of files, or null. */
function findCircle() {
  const done = new Set()
  const path = []
  const visit = (file) => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return null
    path.push(file)
    for (const imported of imports.get(file) ?? []) {
      const circle = visit(imported)
      if (circle !== null) return circle
    }
    path.pop()
    done.add(file)
    return null
  }
  for (const file of files) {
    const circle = visit(file)
    if (circle !== null) return circle
  }
  return null
}

const circle = findCircle()
if (circle !== null) {
  console.error(`These files import each other in a circle:\n  ${circle.join('\n  ')}`)
  process.exitCode = 1
}
