import { describe, expect, it } from 'vitest'

import { Losses } from '../../losses.ts'
import { toResult, toRun } from './read-history.ts'

const findPerson = (person: string) => person

describe('toRun and toResult', () => {
  it('add nothing for what a run or result does not have, so that runs of earlier imports do not look changed', () => {
    const losses = new Losses()
    const run = toRun({ key: 'r', name: 'Run', fields: {}, run_key: null, links: [] }, findPerson, losses)
    expect(run).not.toHaveProperty('own_fields')
    expect(run).not.toHaveProperty('run_key')
    const combinations = [{ place: 1, configuration: 1, status: 'passed', assigned_to: null }]
    const raw = { key: 'x', run: 'r', case: 'A-1', fields: null, assigned_to: null, combinations }
    const { own, ...result } = toResult(raw, findPerson, losses)
    // It is kept beside the record.
    expect(own).toEqual({ id: 'x', case_version: null })
    expect(result).not.toHaveProperty('own_fields')
    expect(result).not.toHaveProperty('assigned_to')
    expect(result.combinations?.[0]).not.toHaveProperty('assigned_to')
    expect(losses.list()).toEqual([])
  })
})
