import type { ResultStatus } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { createPlaceKeeper } from './place-keeper.ts'

interface Row {
  id: string
  status: ResultStatus
}
const row = (id: string, status: ResultStatus): Row => ({ id, status })
const isFailed = ({ status }: Row) => status === 'failed'

describe('the place keeper', () => {
  it('keeps a row that no longer matches until another view is opened', () => {
    const keeper = createPlaceKeeper<Row>()
    const before = [row('1', 'failed'), row('2', 'passed'), row('3', 'failed')]
    const after = [row('1', 'passed'), row('2', 'passed'), row('3', 'failed')]
    const getIds = (view: string, rows: Row[]) => keeper.filter(view, rows, isFailed).map(({ id }) => id)
    expect(getIds('failed', before)).toEqual(['1', '3'])
    expect(getIds('failed', after)).toEqual(['1', '3'])
    expect(getIds('failed and a word', after)).toEqual(['3'])
  })

  it('adds rows that begin to match', () => {
    const keeper = createPlaceKeeper<Row>()
    keeper.filter('failed', [row('1', 'passed')], isFailed)
    expect(keeper.filter('failed', [row('1', 'failed')], isFailed)).toHaveLength(1)
  })
})
