import { expect, it } from 'vitest'

import { collectActors, findPeople } from './find-people.ts'

const actor = {
  kind: 'user',
  id: 'a',
  name: 'Ada',
  email: 'ada@example.test',
  token_id: null,
  token_name: null,
} as const

it('collects the actors of entries, each once', () => {
  const system = { ...actor, kind: 'system', id: null, name: 'System', email: null } as const
  const token = { ...actor, kind: 'token', id: 't', name: 'GitHub', email: null } as const
  expect(
    collectActors([{ actor }, { actor: system }, { actor: token }, { actor: { ...actor, name: 'Ada L.' } }]),
  ).toEqual([
    { id: 'a', name: 'Ada', email: 'ada@example.test' },
    { id: 't', name: 'CI token “GitHub”', email: null },
  ])
})

it('finds people by a part of the name or address, the first of each id, by name', () => {
  const people = [
    { id: 'b', name: 'Bob', email: 'bob@example.test' },
    { id: 'a', name: 'Ada', email: null },
    { id: 'b', name: 'Robert', email: null },
  ]
  expect(findPeople(people, '').map(({ name }) => name)).toEqual(['Ada', 'Bob'])
  expect(findPeople(people, ' OB@ ').map(({ id }) => id)).toEqual(['b'])
  expect(findPeople(people, 'zz')).toEqual([])
})
