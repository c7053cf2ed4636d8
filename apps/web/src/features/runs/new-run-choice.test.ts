import { describe, expect, it } from 'vitest'

import { parseSearch } from '../../search-params.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { changeChoice, createChoice, createRunKey, parseChoice } from './new-run-choice.ts'

const fromUrl = (query: string) =>
  createChoice(parseSearch(searchSchemas.newRun, new URLSearchParams(query)), (ids) =>
    ids.flatMap((id) => [id, `${id}/sub`]),
  )

describe('createChoice', () => {
  it.each([
    ['', 'all'],
    ['folder=a', 'folders'],
    ['tag=smoke', 'filter'],
    ['ids=WEB-1&ids=WEB-2', 'hand'],
    ['from=run', 'run'],
  ])('begins with the source of "%s": %s', (query, source) => {
    expect(fromUrl(query).source).toBe(source)
  })

  it('takes subfolders with folders', () => {
    expect(fromUrl('folder=a&folder=b').folderIds).toEqual(['a', 'a/sub', 'b', 'b/sub'])
  })

  it('takes the statuses of a link to a run, all of them if the link has none, and those that are tested again without a link', () => {
    expect(fromUrl('from=run&status=failed').statuses).toEqual(['failed'])
    expect(fromUrl('from=run').statuses).toHaveLength(5)
    expect(fromUrl('').statuses).toEqual(['failed', 'blocked', 'retest', 'not_tested'])
  })
})

describe('changeChoice', () => {
  it('forgets the key, because the request before was for another run', () => {
    const sent = changeChoice(fromUrl(''), { runKey: createRunKey() })
    expect(sent.runKey).toMatch(/^app-[0-9a-f]{32}$/)
    expect(changeChoice(sent, { name: 'Nightly' })).toMatchObject({ name: 'Nightly', runKey: null })
  })
})

describe('parseChoice', () => {
  it('returns what was stored', () => {
    const choice = changeChoice(fromUrl('ids=WEB-1&tag=smoke'), { name: 'Mine', milestoneId: 'm', runKey: 'app-1' })
    expect(parseChoice(JSON.stringify(choice))).toEqual(choice)
  })

  it.each(['', 'null', '[]', '{"source":"elsewhere"}'])('returns null for %j', (text) => {
    expect(parseChoice(text)).toBeNull()
  })

  it('leaves out values that are unknown', () => {
    expect(parseChoice('{"source":"run","statuses":["failed","lost"],"ids":[1],"filter":7,"name":3}')).toEqual({
      ...fromUrl(''),
      source: 'run',
      statuses: ['failed'],
    })
  })
})
