import { describe, expect, it } from 'vitest'

import { checkDraft, emptyDraft, suggestKey, toBody } from './field-draft.ts'

const option = (id: number, label: string, key: string | null = null) => ({ id, key, label, is_retired: false })

describe('suggestKey', () => {
  it.each([
    ['Severity of a failure', 'severity_of_a_failure'],
    ['  Größe (cm) ', 'groe_cm'],
    ['3rd party', 'rd_party'],
    ['リスク', 'field'],
    ['Risk', 'risk_2'],
  ])('makes a key of %j that is not in use', (name, key) => {
    expect(suggestKey(name, ['risk'], 'field')).toBe(key.replace('groe', 'gro_e'))
  })
})

describe('toBody', () => {
  it('keeps the keys of options that exist, gives new ones a key of their own, and leaves out empty lines', () => {
    const options = [option(0, 'Very high', 'high'), option(1, 'High'), option(2, ' '), option(3, 'high')]
    const body = toBody({ ...emptyDraft, name: 'Risk', options }, ['risk'])
    expect(body).toMatchObject({ key: 'risk_2', options: [{ key: 'high' }, { key: 'high_2' }, { key: 'high_3' }] })
  })

  it('sends limits only of a number, and no default of a person', () => {
    expect(toBody({ ...emptyDraft, name: 'A', type: 'number', min: '1,5', decimals: '1' }, [])).toMatchObject({
      min: 1.5,
      max: null,
      decimals: 1,
    })
    expect(toBody({ ...emptyDraft, name: 'A', type: 'user' }, [])).not.toHaveProperty('default')
  })
})

describe('checkDraft', () => {
  it('says what is missing or there twice', () => {
    expect([...checkDraft(emptyDraft).keys()]).toEqual(['name', 'options'])
    const options = [option(0, 'A'), option(1, 'A ')]
    expect(checkDraft({ ...emptyDraft, name: 'A', options }).get('options')).toBe('“A” is there twice.')
    expect([...checkDraft({ ...emptyDraft, name: 'A', type: 'number', min: 'x', decimals: '9' }).keys()]).toEqual([
      'min',
      'decimals',
    ])
  })
})
