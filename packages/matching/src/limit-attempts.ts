import type { AttemptStatus } from './attempt.ts'

/** The most attempts of a test that are kept. */
export const MAX_ATTEMPTS = 100

const DECIDING: readonly AttemptStatus[] = ['passed', 'failed']

/** Keeps the first attempts of a test, and those that decide its outcome. */
export function limitAttempts<A extends { readonly status: AttemptStatus }>(attempts: readonly A[]): readonly A[] {
  if (attempts.length <= MAX_ATTEMPTS) return attempts
  const kept = attempts.slice(0, MAX_ATTEMPTS - DECIDING.length)
  const missing = DECIDING.filter((status) => !kept.some((attempt) => attempt.status === status))
  return [...kept, ...missing.flatMap((status) => attempts.find((attempt) => attempt.status === status) ?? [])]
}
