import { describe, expect, it } from 'vitest'

import { keyPlaces, keyWords } from './key-words.ts'
import { isCharacterBinding, keys, type KeyDefinition, listKeys, placesOnPages, toAriaKeyShortcuts } from './keys.ts'

const definitions: readonly (readonly [string, KeyDefinition])[] = Object.entries(keys)

describe('keys', () => {
  it.each(placesOnPages.map((places) => [places.join(' + '), places] as const))(
    'have no binding twice on the page with %s',
    (_, places) => {
      const uses = new Map<string, string[]>()
      for (const [id, { places: own, bindings, isLocal }] of definitions) {
        if (isLocal === true || !own.some((place) => places.includes(place))) continue
        for (const binding of bindings) uses.set(binding, [...(uses.get(binding) ?? []), id])
      }
      expect([...uses].filter(([, ids]) => new Set(ids).size > 1)).toEqual([])
    },
  )

  it('have no single key that begins a sequence', () => {
    const starts = new Set(
      definitions.flatMap(([, { bindings }]) => bindings.filter((b) => b.includes(' ')).map((b) => b[0])),
    )
    const singles = definitions.flatMap(([, { bindings }]) => bindings.filter((b) => starts.has(b)))
    expect([...starts]).toEqual(['g'])
    expect(singles).toEqual([])
  })

  it('have words and a place in the guide', () => {
    for (const words of Object.values(keyWords)) expect(words).toMatch(/^[A-Z]/)
    for (const [id, { places, bindings }] of definitions) {
      expect(keyWords).toHaveProperty(id)
      expect(bindings.length).toBeGreaterThan(0)
      for (const place of places) expect(keyPlaces).toHaveProperty(place)
    }
  })

  it('do not reload, close or save the page in the browser', () => {
    const reserved = new Set(['$mod+r', '$mod+w', '$mod+t', '$mod+n', '$mod+s', '$mod+p', '$mod+l', 'F5'])
    expect(definitions.flatMap(([, { bindings }]) => bindings).filter((b) => reserved.has(b.toLowerCase()))).toEqual([])
  })
})

describe('listKeys', () => {
  it('returns the keys of a place', () => {
    expect(listKeys('run').map(({ id }) => id)).toEqual(['execute', 'rerun', 'assign', 'compareWithBase', 'viewFiles'])
    expect(listKeys('execution').find(({ id }) => id === 'comment')?.definition.bindings).toEqual(['m'])
  })
})

describe('isCharacterBinding', () => {
  it.each([
    ['p', true],
    ['Shift+P', true],
    ['/', true],
    ['g c', true],
    ['Digit1', true],
    ['Shift+Digit4', true],
    ['$mod+k', false],
    ['Alt+ArrowUp', false],
    ['Enter', false],
    ['F2', false],
  ])('returns for "%s" %s', (binding, expected) => {
    expect(isCharacterBinding(binding)).toBe(expected)
  })
})

describe('toAriaKeyShortcuts', () => {
  it('leaves out sequences', () => {
    expect(toAriaKeyShortcuts(['g c'], false)).toBeUndefined()
    expect(toAriaKeyShortcuts(['$mod+k', 'p'], true)).toBe('Meta+k p')
  })
})
