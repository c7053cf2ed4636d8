/** PostgreSQL's largest integer. */
const MAX_NUMBER = 2_147_483_647

/** Returns the number of a test case id in a project, `WEB-12` → 12, or null for anything that is not exactly such an id. */
export function parseTestCaseNumber(id: string, prefix: string): number | null {
  if (!id.startsWith(prefix) || id[prefix.length] !== '-') return null
  const digits = id.slice(prefix.length + 1)
  if (!/^[1-9][0-9]{0,9}$/.test(digits)) return null
  const number = Number(digits)
  return number > MAX_NUMBER ? null : number
}

/** Whether a text has the form of a test case id, of any project. */
export const isLikeTestCaseId = (text: string): boolean => /^[A-Z]{2,5}-[0-9]{1,20}$/.test(text)

/** Formats a test case id: `<PREFIX>-<number>`. The number may be text, as PostgreSQL returns it. */
export const formatTestCaseId = (prefix: string, number: number | string): string => `${prefix}-${number}`
