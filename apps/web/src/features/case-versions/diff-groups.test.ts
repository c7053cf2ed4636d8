import { describe, expect, it } from 'vitest'

import { describeGroupDiff, diffGroups, type StepGroup, type VersionSteps } from './diff-groups.ts'
import { diffSteps } from './diff-steps.ts'

/** Parses `Open | Sign in v2: User, Password | Leave`; a fixed version ends with `!`. The title is the id without `#`. */
function parse(text: string): VersionSteps {
  const actions: string[] = []
  const groups: StepGroup[] = []
  for (const part of text.split(' | ')) {
    const [, id = '', version = '', fixed, list] = /^(.+) v(\d+)(!?): (.+)$/.exec(part) ?? []
    if (list === undefined) {
      actions.push(part)
      continue
    }
    const steps = list.split(', ')
    const [title = '', shared_step_id = title] = id.split('#')
    const place = { first: actions.length + 1, count: steps.length }
    groups.push({ shared_step_id, title, version: Number(version), follows: fixed === '', ...place })
    actions.push(...steps)
  }
  const steps = actions.map((action, index) => ({ position: index + 1, action, expected: '' }))
  return groups.length === 0 ? { steps } : { steps, step_groups: groups }
}

function diff(one: string, other: string): (string | null)[] {
  const [before, after] = [parse(one), parse(other)]
  return diffGroups(before, after, diffSteps(before.steps, after.steps)).map(describeGroupDiff)
}

describe('diffGroups', () => {
  it.each([
    ['Open | Sign in v2: User, Password', 'Sign in v2: User, Password | Open', [null]],
    ['Sign in v2: User', 'Sign in v3: User, Password', ['Sign in: v2 → v3']],
    ['Sign in#1 v2: User', 'Log in#1 v3: User', ['Sign in (v2) → Log in (v3)']],
    ['Sign in v2: User', 'Sign in v2!: User', ['Sign in (v2): fixed']],
    ['Sign in v2!: User', 'Sign in v3: Name', ['Sign in: v2 → v3, follows its changes again']],
    [
      'A | Sign in v2: User, Password',
      'A | User | Password',
      ['Sign in (v2) was detached: its steps belong to the test case'],
    ],
    ['A | Sign in v2: User | Z', 'A | Z', ['Sign in (v2) was removed']],
    ['A | Sign in v2: User | Z', 'A | Pay v1: Card, Date | Z', ['Sign in (v2) was replaced by Pay (v1)']],
    ['Sign in v2: Enter the user', 'Pay v1: Enter the card', ['Sign in (v2) was replaced by Pay (v1)']],
    ['A | Z', 'A | Pay v1: Card | Z', ['Pay (v1) was inserted']],
    ['A | User | Password', 'A | Sign in v1: User, Password', ['Steps 2–3 became Sign in (v1)']],
    ['A | User', 'A | User', []],
  ])('%s → %s', (before, after, expected) => {
    expect(diff(before, after)).toEqual(expected)
  })

  it('tells the uses of one shared step apart by their steps, and says all in the order of the newer version', () => {
    const before = 'Pay v1: Card | A | Sign in v1: User, Password | B | Sign in v1: User, Password'
    const after = 'A | Sign in v2: User, Password | B | User | Password | Wait v4: Wait'
    expect(diff(before, after)).toEqual([
      'Pay (v1) was removed',
      'Sign in: v1 → v2',
      'Sign in (v1) was detached: its steps belong to the test case',
      'Wait (v4) was inserted',
    ])
    expect(diff('Sign in v1: User | B | Sign in v1: User', 'User | B | Sign in v2: User')).toEqual([
      'Sign in (v1) was detached: its steps belong to the test case',
      'Sign in: v1 → v2',
    ])
  })
})
