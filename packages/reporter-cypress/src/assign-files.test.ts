import type { TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import { assignFiles } from './assign-files.ts'

const test = (titles: string[], ...statuses: TestAttempt['status'][]): TestAttempt[] =>
  statuses.map((status) => ({ testId: titles.join(), titlePath: titles, status }))

const folder = '/shop/cypress/screenshots/cart.cy.js'

/** The names of the files of each attempt, by test. */
const assign = (tests: TestAttempt[][], names: string[], video: string | null = null) =>
  assignFiles(tests, { screenshots: names.map((name) => ({ path: `${folder}/${name}` })), video }).map((attempts) =>
    attempts.map(({ attachments = [] }) => attachments.map(({ name }) => name)),
  )

describe('assignFiles', () => {
  it('adds a screenshot to the attempt that its name states', () => {
    const tests = [test(['Cart', 'WEB-1: pays?'], 'failed', 'failed'), test(['Cart', 'is empty'], 'passed')]
    const names = [
      'Cart -- WEB-1 pays (failed).png',
      'Cart -- WEB-1 pays (failed) (attempt 2).png',
      'Cart -- is empty.png',
    ]
    expect(assign(tests, names)).toEqual([[[names[0]], [names[1]]], [[names[2]]]])
  })

  it.each(['before each', 'after each', 'before all', 'after all'])(
    'adds a screenshot of a %s hook to its test',
    (hook) => {
      const name = `Cart -- pays -- ${hook} hook (failed) (attempt 2).png`
      expect(assign([test(['Cart', 'pays'], 'failed', 'failed')], [name])).toEqual([[[], [name]]])
    },
  )

  it('finds the attempt of each file that Cypress 13.17 wrote in a run with hooks, two attempts and several screenshots', () => {
    const strange = 'WEB-7: has / strange: "characters" <in> its title?'
    const two = ['cart', 'nested', 'WEB-8 takes two pictures and fails']
    const tests = [test(['cart', strange], 'failed', 'failed'), test(two, 'failed', 'failed')]
    const hooks = [
      test(['hooks', 'WEB-9 does not begin'], 'failed'),
      test(['each', 'WEB-11 fails'], 'failed', 'failed'),
    ]
    const first = ['', ' (1)', ' (failed)'].map((end) => `${two.join(' -- ')}${end}.png`)
    const second = [' (attempt 2)', ' (attempt 2) (1)', ' (failed) (attempt 2)'].map(
      (end) => `${two.join(' -- ')}${end}.png`,
    )
    const ofStrange = ['', ' (attempt 2)'].map(
      (end) => `cart -- WEB-7 has  strange characters in its title (failed)${end}.png`,
    )
    const ofHooks = [
      'hooks -- WEB-9 does not begin -- before all hook (failed).png',
      'each -- WEB-11 fails (failed).png',
      'each -- WEB-11 fails -- before each hook (failed) (attempt 2).png',
    ]
    expect(assign([...tests, ...hooks], [...ofStrange, ...first, ...second, ...ofHooks])).toEqual([
      ofStrange.map((name) => [name]),
      [first, second],
      [[ofHooks[0]]],
      [[ofHooks[1]], [ofHooks[2]]],
    ])
  })

  it('adds a screenshot with another name to all tests that failed, in their last failed attempt', () => {
    const tests = [test(['a'], 'failed', 'failed'), test(['b'], 'failed', 'passed'), test(['c'], 'failed')]
    expect(assign(tests, ['basket.png'])).toEqual([[[], ['basket.png']], [[], []], [['basket.png']]])
  })

  it('adds a screenshot whose name was cut to the test that begins like it', () => {
    const title = 'x'.repeat(300)
    const name = `${'x'.repeat(210)} (failed).png`
    expect(assign([test([title], 'failed'), test(['x'], 'failed')], [name])).toEqual([[[name]], [[]]])
  })

  it('adds a screenshot to the test that failed, of several with the same titles', () => {
    const tests = [test(['row'], 'passed'), test(['row'], 'failed')]
    expect(assign(tests, ['row (failed).png'])).toEqual([[[]], [['row (failed).png']]])
  })

  it('adds the video to the tests that failed, at most 50', () => {
    const tests = [test(['a'], 'passed'), ...Array.from({ length: 60 }, (_, index) => test([`b${index}`], 'failed'))]
    const names = assign(tests, [], '/shop/cypress/videos/cart.cy.js.mp4').flat(2)
    expect(names).toEqual(Array(50).fill('cart.cy.js.mp4'))
  })
})
