import { describe, expect, it } from 'vitest'

import { explainFixedRole } from './role-words.ts'

describe('explainFixedRole', () => {
  it('keeps the last admin, and the role of the user', () => {
    expect(explainFixedRole({ id: 'ada', role: 'admin' }, 'ada', 1)).toMatch(/^The project always keeps an admin/)
    expect(explainFixedRole({ id: 'ada', role: 'admin' }, 'ada', 2)).toMatch(/^Another admin/)
    expect(explainFixedRole({ id: 'bob', role: 'admin' }, 'ada', 2)).toBe(null)
    expect(explainFixedRole({ id: 'bob', role: 'viewer' }, 'ada', 1)).toBe(null)
  })

  it('names the groups from which the role comes', () => {
    const bob = { id: 'bob', role: 'viewer' } as const
    expect(explainFixedRole(bob, 'ada', 1, ['qa'])).toMatch(/^The role comes from the group “qa”\./)
    expect(explainFixedRole(bob, 'ada', 1, ['qa', 'leads'])).toMatch(
      /^The role comes from the groups “qa” and “leads”\./,
    )
  })
})
