import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** The colours of both themes by the name of the token. */
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

/** Relative luminance, as WCAG 2.2 defines it. */
function getLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function getContrast(theme: 'light' | 'dark', foreground: string, background: string): number {
  const luminances = [foreground, background].map((name) => {
    const colour = colours.get(name)?.[theme]
    if (colour === undefined) throw new Error(`There is no token --${name} with a colour for both themes.`)
    return getLuminance(colour)
  })
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

const surfaces = ['card', 'page', 'hover', 'selected']
const statuses = ['passed', 'failed', 'blocked', 'retest', 'not-tested']

/** Text needs 4.5:1 (WCAG 1.4.3). */
const texts: [string, string][] = [
  ...surfaces.flatMap((surface): [string, string][] => [
    ['text', surface],
    ['muted', surface],
    ['accent', surface],
  ]),
  ...statuses.flatMap((status): [string, string][] => [
    ...surfaces.map((surface): [string, string] => [`${status}-text`, surface]),
    [`${status}-text`, `${status}-tint`],
    ['text', `${status}-tint`],
  ]),
  ['muted', 'not-tested-tint'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['accent-hover', 'card'],
  ['accent-hover', 'page'],
  // Tooltips.
  ['card', 'text'],
]

/** What has to be seen to use a control or to read a chart needs 3:1 (WCAG 1.4.11). */
const shapes: [string, string][] = [
  ['control', 'card'],
  ['control', 'page'],
  ['on-accent', 'accent'],
  ...statuses.map((status): [string, string] => [`${status}-fill`, 'card']),
  // On these, glyphs and strips use the colour of the word.
  ...statuses.flatMap((status): [string, string][] => [
    [`${status}-text`, 'hover'],
    [`${status}-text`, 'selected'],
  ]),
  // The mark of a glyph has the colour of the card.
  ...statuses.map((status): [string, string] => ['card', `${status}-text`]),
]

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it.each(texts)('has text with a contrast of 4.5: %s on %s', (foreground, background) => {
    expect(getContrast(theme, foreground, background)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(shapes)('has shapes with a contrast of 3: %s on %s', (foreground, background) => {
    expect(getContrast(theme, foreground, background)).toBeGreaterThanOrEqual(3)
  })
})

it('has the contrasts that the palette was chosen for', () => {
  const round = (value: number) => Math.round(value * 100) / 100
  expect([
    round(getContrast('light', 'passed-fill', 'card')),
    round(getContrast('dark', 'passed-fill', 'card')),
    round(getContrast('light', 'control', 'card')),
    round(getContrast('light', 'retest-text', 'retest-tint')),
  ]).toEqual([3.39, 7.14, 3.34, 6.2])
})
