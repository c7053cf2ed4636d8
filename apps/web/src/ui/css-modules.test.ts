import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const components = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))

interface Use {
  /** The component and the class. */
  place: string
  className: string
  module: string
}

/** Every `styles.name` of every component, with the stylesheet that it imports. The compiler knows no classes. */
const uses: Use[] = components.flatMap((name) => {
  const source = readFileSync(join(root, name), 'utf8')
  return [...source.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'/gm)].flatMap(
    ([, variable = '', path = '']) => {
      const module = join(root, dirname(name), path)
      const used = source.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))
      return [...used].map(([, className = '']) => ({ place: `${name}: ${className}`, className, module }))
    },
  )
})

const readClasses = (module: string) =>
  new Set(
    [
      ...readFileSync(module, 'utf8')
        .replaceAll(/\/\*[^]*?\*\/|'[^']*'/g, '')
        .matchAll(/\.([A-Za-z]\w*)/g),
    ].map(([, name]) => name),
  )

it('defines every class that a component uses', () => {
  expect(uses.length).toBeGreaterThan(50)
  const missing = uses.filter(({ module, className }) => !readClasses(module).has(className))
  expect(missing.map(({ place }) => place)).toEqual([])
})

it('has no class that no component uses', () => {
  const modules = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.module.css'))
    .map((name) => join(root, name))
  const sources = components.map((name) => readFileSync(join(root, name), 'utf8'))
  const isUsed = (module: string, className: string) =>
    uses.some((use) => use.module === module && use.className === className) ||
    // `styles[status]`: the name is the value of some variable.
    sources.some((source) => source.includes(`'${className}'`) || source.includes(`${className}:`)) ||
    /^hiddenBelow\d+$/.test(className)
  const unused = modules.flatMap((module) =>
    [...readClasses(module)]
      .filter((name) => name !== undefined && !isUsed(module, name))
      .map((name) => `${module}: ${name}`),
  )
  // The class of icons is that of a library.
  expect(unused.filter((name) => !name.endsWith(': lucide'))).toEqual([])
})
