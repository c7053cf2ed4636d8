import { describe, expect, it } from 'vitest'

import { findPlaces, type StoredConfiguration } from './match-variant.ts'

const make = (group: string, key: string, variants: string[]): StoredConfiguration => ({
  id: `${group}.${key}`,
  group_key: group,
  group_name: group,
  key,
  name: key,
  variants,
})
const chrome = make('browser', 'chrome', ['chromium', 'Google Chrome*'])
const firefox = make('browser', 'firefox', ['firefox'])
const windows = make('system', 'windows', ['windows*'])
const mac = make('system', 'mac', ['mac*'])
const unnamed = make('system', 'linux', [])
const places = [
  { place: 1, configurations: [chrome, windows] },
  { place: 2, configurations: [chrome, mac] },
  { place: 3, configurations: [firefox, windows] },
  { place: 4, configurations: [firefox, unnamed] },
]

describe('findPlaces', () => {
  it.each([
    ['windows 11, chromium', [1]],
    ['  MAC,   Google   Chrome 141 ', [2]],
    ['chromium', [1, 2]],
    ['firefox', [3, 4]],
    ['mac, firefox', []],
    // What no configuration explains: a browser that the run does not know must not count for one that it knows.
    ['windows, edge', []],
    ['windows, node 18, chromium', [1]],
    ['node 18, firefox', [4]],
    ['edge', []],
    ['', []],
    [' , ', []],
  ])('finds the places of %j', (variant, expected) => {
    expect(findPlaces(places, variant)).toEqual(expected)
  })

  it('matches a whole variant with commas, and only the beginning before an asterisk', () => {
    const one = [{ place: 1, configurations: [make('a', 'b', ['x, y'])] }]
    expect(findPlaces(one, 'X,  y')).toEqual([1])
    expect(findPlaces(one, 'x')).toEqual([])
    expect(findPlaces([{ place: 1, configurations: [make('a', 'b', ['ab*'])] }], 'cab')).toEqual([])
  })
})
