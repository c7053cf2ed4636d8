import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

import { type EnvironmentVariables, readText } from './environment.ts'

/** The variables in which CI systems name the directory of the checkout. */
const CHECKOUT_VARIABLES = [
  'GITHUB_WORKSPACE',
  'CI_PROJECT_DIR',
  'BUILD_SOURCESDIRECTORY',
  'CIRCLE_WORKING_DIRECTORY',
  'BITBUCKET_CLONE_DIR',
  'BUILDKITE_BUILD_CHECKOUT_PATH',
  'WORKSPACE',
]

/**
 * Finds the directory of the checkout: the nearest one upwards with `.git`, else the one that CI names, if it contains the
 * working directory. Symbolic links are resolved.
 * @returns null if it is unknown
 */
export function findCheckoutRoot(cwd: string, env: EnvironmentVariables): string | null {
  const directory = resolveLinks(cwd)
  for (let current = directory; ; current = dirname(current)) {
    // A file in a work tree, a directory in a clone.
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) break
  }
  const named = CHECKOUT_VARIABLES.map((name) => readText(env[name])).find((path) => path !== null && isAbsolute(path))
  if (named === undefined || named === null) return null
  const root = resolveLinks(named)
  return isInside(root, directory) ? root : null
}

/**
 * Returns the directory of the package whose tests run, relative to the checkout, with forward slashes: `packages/cart`, or
 * `.` for the root.
 * @returns null if the checkout is unknown
 */
export function findModule(cwd: string, env: EnvironmentVariables): string | null {
  const root = findCheckoutRoot(cwd, env)
  return root === null ? null : relative(root, resolveLinks(cwd)).split(sep).join('/') || '.'
}

function isInside(root: string, directory: string): boolean {
  const path = relative(root, directory)
  return !path.startsWith('..') && !isAbsolute(path)
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
