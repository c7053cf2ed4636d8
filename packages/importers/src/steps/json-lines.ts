import type { SplitSteps } from './step-rule.ts'

/**
 * R2: each line is a number and a JSON string.
 * @returns null if a line is not
 */
export function splitJsonLines(action: string, expected: string, data: string): SplitSteps | null {
  const [actions, expecteds, datas] = [action, expected, data].map(readLines)
  if (actions === null || actions === undefined) return null
  const texts = actions.map((text, index) => ({
    action: addData(text, datas?.[index] ?? ''),
    expected: expecteds?.[index] ?? '',
  }))
  const surplus = (expecteds ?? []).slice(actions.length).filter((text) => text !== '')
  const unread = [expecteds === null ? expected.trim() : '', datas === null ? data.trim() : '']
  const rest = [...surplus, ...unread].filter((text) => text !== '').join('\n')
  return {
    steps: texts.filter((step) => step.action !== '' || step.expected !== ''),
    precondition: '',
    expected_result: rest,
    isNotSplit: rest !== '',
  }
}

export const addData = (action: string, data: string): string =>
  data.trim() === '' ? action : `${action}\n\nTest data: ${data.trim()}`.trimStart()

function readLines(text: string): string[] | null {
  const texts: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    const json = /^\s*\d+\.\s+(".*")\s*$/.exec(line)?.[1]
    if (json === undefined) return null
    try {
      const value: unknown = JSON.parse(json)
      if (typeof value !== 'string') return null
      // Qase escapes signs of Markdown, which stay escaped.
      texts.push(value.trim())
    } catch {
      return null
    }
  }
  return texts
}
