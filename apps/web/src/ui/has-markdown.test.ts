import { expect, it } from 'vitest'

import { hasMarkdown } from './has-markdown.ts'

it.each(['Open the shop', 'Pays 12.50 EUR, with a card.', 'First line\nSecond line', 'A – B (C); D: 50 %'])(
  'finds no Markdown in: %j',
  (text) => {
    expect(hasMarkdown(text)).toBe(false)
  },
)

it.each([
  '**bold**',
  '- item',
  '1. item',
  '# Title',
  '| a | b |',
  '`code`',
  '[link](https://example.org)',
  'see https://example.org',
  'two\n\nparagraphs',
  '    code',
  '> quote',
])('finds Markdown in: %j', (text) => {
  expect(hasMarkdown(text)).toBe(true)
})
