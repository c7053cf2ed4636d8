import type { MyProject } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { createMay } from './rights.ts'

const project = (id: string, permissions: MyProject['permissions']) => ({ id, permissions }) as MyProject

describe('createMay', () => {
  const projects = [project('web', ['project:view', 'runs:execute']), project('shop', ['project:view'])]

  it('allows what the server lists for the project', () => {
    expect(createMay(projects, 'web')('runs:execute')).toBe(true)
    expect(createMay(projects, 'shop')('runs:execute')).toBe(false)
  })

  it('allows nothing while projects are loading, and in unknown projects', () => {
    expect(createMay(undefined, 'web')('project:view')).toBe(false)
    expect(createMay(projects, undefined)('project:view')).toBe(false)
    expect(createMay(projects, 'other')('project:view')).toBe(false)
  })
})
