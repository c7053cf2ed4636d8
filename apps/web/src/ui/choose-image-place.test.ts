import { describe, expect, it } from 'vitest'

import { choosePlace } from './choose-image-place.ts'

const ORIGIN = 'https://caseward.example.test'
const WIKI = 'https://wiki.example.test'

describe('choosePlace', () => {
  it.each([
    ['/docs/card.png', [], 'here', 'caseward.example.test'],
    ['card.png', [], 'here', 'caseward.example.test'],
    ['data:image/png;base64,AAAA', [], 'here', ''],
    [`${WIKI}/card.png`, [WIKI], 'here', 'wiki.example.test'],
    [`${WIKI}/card.png`, ['https:'], 'after-click', 'wiki.example.test'],
    [`${WIKI}/card.png`, [], 'new-tab', 'wiki.example.test'],
    [`${WIKI}:8443/card.png`, [WIKI], 'new-tab', 'wiki.example.test:8443'],
    ['https://wiki.example.test.evil.test/card.png', [WIKI], 'new-tab', 'wiki.example.test.evil.test'],
    ['//evil.test/card.png', [WIKI], 'new-tab', 'evil.test'],
    ['http://evil.test/card.png', ['https:'], 'new-tab', 'evil.test'],
    [String.raw`\\evil.test\card.png`, [], 'new-tab', 'evil.test'],
    ['https://[', [WIKI], 'new-tab', ''],
    ['blob:https://caseward.example.test/1', [], 'new-tab', ''],
  ] as const)('of %s with the sources %j is %s', (src, sources, place, host) => {
    expect(choosePlace(src, ORIGIN, sources)).toEqual({ place, host })
  })
})
