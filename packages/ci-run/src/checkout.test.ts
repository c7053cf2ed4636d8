import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findCheckoutRoot, findModule } from './checkout.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'caseward-checkout-')))
  mkdirSync(join(root, 'packages/cart'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

describe('findModule', () => {
  it.each([
    ['a clone', () => mkdirSync(join(root, '.git'))],
    ['a work tree', () => writeFileSync(join(root, '.git'), 'gitdir: elsewhere')],
  ])('returns the directory relative to the nearest one with .git: %s', (_what, make) => {
    make()
    expect(findModule(join(root, 'packages/cart'), {})).toBe('packages/cart')
    expect(findModule(root, {})).toBe('.')
  })

  it.each([
    'GITHUB_WORKSPACE',
    'CI_PROJECT_DIR',
    'BUILD_SOURCESDIRECTORY',
    'CIRCLE_WORKING_DIRECTORY',
    'BITBUCKET_CLONE_DIR',
    'BUILDKITE_BUILD_CHECKOUT_PATH',
    'WORKSPACE',
  ])('returns the directory relative to %s without .git', (name) => {
    expect(findModule(join(root, 'packages/cart'), { [name]: root })).toBe('packages/cart')
  })

  it('resolves symbolic links', () => {
    mkdirSync(join(root, '.git'))
    symlinkSync(join(root, 'packages'), join(root, 'linked'))
    expect(findModule(join(root, 'linked/cart'), {})).toBe('packages/cart')
  })

  it.each([
    ['nothing names the checkout', {}],
    ['CI names a directory that does not contain it', { GITHUB_WORKSPACE: '/nowhere/else' }],
    ['CI names no absolute path', { CIRCLE_WORKING_DIRECTORY: '~/project' }],
  ])('returns null when %s', (_what, env) => {
    expect(findModule(join(root, 'packages/cart'), env)).toBeNull()
    expect(findCheckoutRoot(join(root, 'packages/cart'), env)).toBeNull()
  })
})
