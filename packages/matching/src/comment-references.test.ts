import { describe, expect, it } from 'vitest'

import { findAttachmentIds, findMentions, formatMention, replaceMentions } from './comment-references.ts'

const ADA = '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40'
const BOB = '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10'

describe('findMentions', () => {
  it('returns each user once, with the first name', () => {
    const body = `@[Ada Lovelace](user:${ADA}) and @[Bob](user:${BOB.toUpperCase()}), @[Ada](user:${ADA})`
    expect(findMentions(body)).toEqual([
      { userId: ADA, name: 'Ada Lovelace' },
      { userId: BOB, name: 'Bob' },
    ])
  })

  it('finds nobody in code, in other links, or without an id', () => {
    const mention = `@[Ada](user:${ADA})`
    for (const body of [
      `\`${mention}\``,
      `\`\`\`\n${mention}\n\`\`\``,
      `\`\`\`\n${mention}`,
      `[Ada](user:${ADA})`,
      '@[Ada](user:1)',
    ]) {
      expect(findMentions(body)).toEqual([])
    }
  })

  it('takes no time for a text that begins many mentions', () => {
    const startedAt = performance.now()
    findMentions('@[a](user:'.repeat(6500))
    findMentions('`'.repeat(65_536))
    findMentions('``` '.repeat(16_000))
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })
})

describe('formatMention', () => {
  it('formats what findMentions finds, whatever the name contains', () => {
    for (const name of ['Ada Lovelace', 'A [x](y) B', ']', '\n']) {
      expect(findMentions(formatMention({ userId: ADA, name }))).toMatchObject([{ userId: ADA }])
    }
  })
})

describe('replaceMentions', () => {
  it('shows the name of today, or the stored one of a user who is not known', () => {
    const body = `@[Ada](user:${ADA}), @[Bob](user:${BOB})`
    expect(replaceMentions(body, ({ userId }) => (userId === ADA ? 'Ada King' : undefined))).toBe('@Ada King, @Bob')
  })
})

describe('findAttachmentIds', () => {
  it('returns the attachments that pictures and links name', () => {
    expect(findAttachmentIds(`![a](attachment:${ADA}) [b](attachment:${BOB}) ![a](attachment:${ADA})`)).toEqual([
      ADA,
      BOB,
    ])
  })
})
