import type { SplitSteps } from './step-rule.ts'

const LABEL = /^[ \t]*Expected Result:[ \t]*$/m

/**
 * R6: blocks of a numbered action, the line `Expected Result:` and a text. The next number may follow a text without a line
 * break; it begins a step if another `Expected Result:` follows before the number after it.
 * @returns null if the text has no such blocks
 */
export function splitCombined(text: string): SplitSteps | null {
  const content = text.replaceAll(/\r\n?/g, '\n')
  const pieces = content.split(/^[ \t]*Expected Result:[ \t]*$/m)
  if (!LABEL.test(content) || !/^\s*1\.\s/.test(content)) return null
  const steps: { action: string; expected: string }[] = []
  let action = (pieces[0] ?? '').replace(/^\s*1\.\s/, '').trim()
  // A step without expected result may stand before one that has it.
  ;({ action } = takeActions(action, steps))
  for (const [index, piece] of pieces.slice(1).entries()) {
    const isLast = index === pieces.length - 2
    const cut = isLast ? findLineStart(piece, steps.length + 2) : findNumber(piece, steps.length + 2)
    steps.push({ action, expected: (cut === null ? piece : piece.slice(0, cut.at)).trim() })
    action = cut === null ? '' : piece.slice(cut.end).trim()
    ;({ action } = takeActions(action, steps))
    if (cut === null && !isLast) {
      // The label without a number before it is text.
      const last = steps.at(-1)
      const next = pieces[index + 2]
      if (last === undefined || next === undefined) break
      pieces[index + 2] = `${last.expected}\nExpected Result:${next}`
      action = steps.pop()?.action ?? ''
    }
  }
  const rest = action === '' ? [] : [{ action, expected: '' }]
  return { steps: [...steps, ...rest], precondition: '', expected_result: '', isNotSplit: false }
}

/** Moves complete actions, which have no expected result, to the steps. */
function takeActions(text: string, steps: { action: string; expected: string }[]): { action: string } {
  let action = text
  for (;;) {
    const cut = findLineStart(action, steps.length + 2)
    if (cut === null) return { action }
    steps.push({ action: action.slice(0, cut.at).trim(), expected: '' })
    action = action.slice(cut.end).trim()
  }
}

/** The last place of a number in a text, preferably at the start of a line. */
function findNumber(text: string, number: number) {
  const line = findLineStart(text, number)
  if (line !== null) return line
  const mark = `${number}. `
  const at = text.lastIndexOf(mark)
  return at < 0 || /\d/.test(text.charAt(at - 1)) ? null : { at, end: at + mark.length }
}

function findLineStart(text: string, number: number) {
  const mark = `\n${number}. `
  const at = text.indexOf(mark)
  return at < 0 ? null : { at, end: at + mark.length }
}
