import { describe, expect, it } from 'vitest'

import { searchProjects } from './search-projects.ts'
import { cleanPrefix, suggestPrefix } from './suggest-prefix.ts'

describe('suggestPrefix', () => {
  it.each([
    ['Web shop', 'WS'],
    ['Back office for the whole of Europe', 'BOFTW'],
    ['Payments', 'PAY'],
    ['Überweisungen', 'UBE'],
    ['2nd shop', 'NS'],
    ['X', ''],
    ['日本', ''],
    ['', ''],
  ])('returns for “%s” the prefix “%s”', (name, prefix) => {
    expect(suggestPrefix(name)).toBe(prefix)
  })
})

describe('cleanPrefix', () => {
  it.each([
    ['web', 'WEB'],
    ['w-e 1b', 'WEB'],
    ['webshop', 'WEBSH'],
  ])('turns “%s” into %s', (typed, prefix) => {
    expect(cleanPrefix(typed)).toBe(prefix)
  })
})

describe('searchProjects', () => {
  const projects = [
    { name: 'Web shop', prefix: 'WEB' },
    { name: 'Back office', prefix: 'BO' },
  ]

  it('finds names and prefixes in any case', () => {
    expect(searchProjects(projects, ' OFFICE')).toEqual([projects[1]])
    expect(searchProjects(projects, 'web')).toEqual([projects[0]])
  })

  it('returns all projects without a text, and none if nothing matches', () => {
    expect(searchProjects(projects, ' ')).toEqual(projects)
    expect(searchProjects(projects, 'shop web')).toEqual([])
  })
})
