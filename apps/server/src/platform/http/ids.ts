const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Whether a text can be the id of anything but a test case. An id of the wrong form is simply not found. Only lower
 * case, as ids are given out: the same thing never goes by two names.
 */
export const isUuid = (text: string): boolean => uuid.test(text)

const MAX_NUMBER = 2_147_483_647

/** The number of a test case id in a project, `WEB-12` → 12; null for anything that is not exactly such an id. */
export function parseTestCaseNumber(id: string, prefix: string): number | null {
  if (!id.startsWith(prefix) || id[prefix.length] !== '-') return null
  const digits = id.slice(prefix.length + 1)
  if (!/^[1-9][0-9]{0,9}$/.test(digits)) return null
  const number = Number(digits)
  return number > MAX_NUMBER ? null : number
}

/** Whether a text looks like the id of a test case, of this project or another, there or not. */
export const isLikeTestCaseId = (text: string): boolean => /^[A-Z]{2,5}-[0-9]{1,20}$/.test(text)

/** The id of a test case: `<PREFIX>-<number>`, the number also as PostgreSQL writes it. */
export const formatTestCaseId = (prefix: string, number: number | string): string => `${prefix}-${number}`
