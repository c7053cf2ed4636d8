import type { Folder } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { addSubfolders, checkFolder, getCheckStates } from './new-run-folder-checks.ts'

const folder = (id: string, parent_id: string | null): Folder =>
  ({ id, parent_id, name: id, position: 0, test_case_count: 1 }) as Folder

const folders = [folder('shop', null), folder('cart', 'shop'), folder('card', 'cart'), folder('account', null)]
const states = (checked: readonly string[]) => Object.fromEntries(getCheckStates(checked, folders))

describe('checkFolder', () => {
  it('checks a folder with everything below it', () => {
    expect(states(checkFolder([], 'shop', true, folders))).toEqual({
      shop: true,
      cart: true,
      card: true,
      account: false,
    })
  })

  it('leaves the folders above partly checked when one below is unchecked', () => {
    const checked = checkFolder(['shop', 'cart', 'card'], 'card', false, folders)
    expect(states(checked)).toEqual({ shop: 'mixed', cart: 'mixed', card: false, account: false })
  })

  it('does not repeat folders that were checked before', () => {
    expect(checkFolder(['card', 'account'], 'shop', true, folders)).toEqual(['account', 'shop', 'cart', 'card'])
  })
})

describe('getCheckStates', () => {
  it('shows a folder as partly checked if only its own test cases are taken', () => {
    expect(states(['cart'])).toMatchObject({ shop: 'mixed', cart: 'mixed', card: false })
  })

  it('ends when two folders contain each other', () => {
    const circle = [folder('a', 'b'), folder('b', 'a')]
    expect([...getCheckStates(['a'], circle).keys()].toSorted()).toEqual(['a', 'b'])
  })
})

it('adds subfolders once', () => {
  expect(addSubfolders(['cart', 'shop'], folders).toSorted()).toEqual(['card', 'cart', 'shop'])
})
