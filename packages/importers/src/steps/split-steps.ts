import type { StepText } from '../records.ts'
import { splitList, splitNumbered, splitWithGaps, toLines } from './numbered-parts.ts'
import { splitCombined } from './combined-steps.ts'
import { addData, splitJsonLines } from './json-lines.ts'
import type { SplitSteps } from './step-rule.ts'

type Expected = Pick<SplitSteps, 'steps' | 'expected_result' | 'isNotSplit'>

/** Splits a text into steps. No text gets lost: what belongs to no step is in the precondition or the expected result. */
export function splitSteps({ rule, action, expected, data = '' }: StepText): SplitSteps {
  switch (rule) {
    case 'crlf':
      return splitCrLf(action, expected)
    case 'combined':
      return splitCombined(action) ?? splitByNumbers(action, expected)
    case 'json_lines':
      return splitJsonLines(action, expected, data) ?? splitByNumbers(addData(action, data), expected)
    case 'positions':
      return splitPositions(action, expected, data) ?? splitByNumbers(addData(action, data), expected)
    case 'numbered':
      return splitByNumbers(action, expected)
    case 'gherkin':
      return { ...whole(expected), steps: splitGherkin(action) }
    case 'whole':
      return { ...whole(''), steps: [{ action: action.trim(), expected: expected.trim() }].filter(hasText) }
    default:
      return rule satisfies never
  }
}

const hasText = ({ action, expected }: { action: string; expected: string }) => action !== '' || expected !== ''

const whole = (expected: string): SplitSteps => ({
  steps: [],
  precondition: '',
  expected_result: expected.trim(),
  isNotSplit: false,
})

/** A line of Gherkin each; lines of tables and texts within `"""` belong to the step above. */
function splitGherkin(text: string): { action: string; expected: string }[] {
  const steps: string[][] = []
  let isQuoted = false
  let isInExamples = false
  for (const line of toLines(text)) {
    const trimmed = line.trim()
    const isQuote = /^(?:"""|```)/.test(trimmed)
    if (/^(?:Examples|Scenarios|Scenario|Scenario Outline|Background|Feature|Rule)\s*:/i.test(trimmed) && !isQuoted) {
      isInExamples = /^(?:Examples|Scenarios):/i.test(trimmed)
      continue
    }
    if (isInExamples) continue
    const last = steps.at(-1)
    if ((isQuoted || isQuote || trimmed.startsWith('|')) && last !== undefined) last.push(line)
    else if (trimmed !== '' && !/^[#@]/.test(trimmed) && !/^!.*!$/.test(trimmed)) steps.push([trimmed])
    if (isQuote) isQuoted = !isQuoted
  }
  return steps.map((lines) => ({ action: lines.join('\n'), expected: '' }))
}

/** R1: a number is part of the text unless it is the position. */
function splitCrLf(action: string, expected: string): SplitSteps {
  const split = (text: string) =>
    text.trim() === ''
      ? []
      : text
          .replace(/\r\n$/, '')
          .split('\r\n')
          .map((part, index) => stripPosition(part, index + 1))
  const [actions, expecteds] = [split(action), split(expected)]
  // Steps of which neither part has a text are none.
  const count = actions.length
  const steps = actions.map((text, index) => ({ action: text, expected: expecteds[index] ?? '' })).filter(hasText)
  const surplus = expecteds.slice(count).filter((text) => text !== '')
  return { steps, precondition: '', expected_result: surplus.join('\n'), isNotSplit: surplus.length > 0 }
}

/** Texts with the same positions: `2. ` without a text is empty. @returns null if the positions differ */
function splitPositions(action: string, expected: string, data: string): SplitSteps | null {
  const [actions, expecteds, datas] = [action, expected, data].map((text) => splitNumbered(text))
  const count = actions?.parts.length ?? 0
  const fits = (split: typeof actions) => split?.before === '' && split.parts.length === count
  const isEmpty = (text: string) => text.trim() === ''
  if (!fits(actions) || !(isEmpty(expected) || fits(expecteds)) || !(isEmpty(data) || fits(datas))) return null
  const steps = (actions?.parts ?? []).map(({ text }, index) => ({
    action: addData(text, datas?.parts[index]?.text ?? ''),
    expected: expecteds?.parts[index]?.text ?? '',
  }))
  return { ...whole(''), steps: steps.filter(hasText) }
}

const stripPosition = (text: string, position: number) => {
  const number = /^\s*(\d+)\.(?:\s|$)/.exec(text)
  return (Number(number?.[1]) === position ? text.slice(number?.[0].length) : text).trim()
}

const HEADING = /^\s*(?:test\s+)?steps\s*:?\s*$/i

/** R3, R4, R5 and R12. */
function splitByNumbers(action: string, expected: string): SplitSteps {
  const { before, parts } = splitNumbered(action)
  const items = parts.length > 0 ? parts.map(({ text }) => text) : splitList(action)
  if (items.length === 0) {
    const steps = action.trim() === '' ? [] : [{ action: action.trim(), expected: expected.trim() }]
    return { ...whole(steps.length === 0 ? expected : ''), steps }
  }
  const precondition = HEADING.test(before) ? '' : before
  return { precondition, ...giveExpected(items, expected.trim()) }
}

/** Gives expected results to their steps where it is certain; otherwise the text stays whole. */
function giveExpected(actions: readonly string[], expected: string): Expected {
  const give = (texts: readonly (string | undefined)[]): Expected => ({
    steps: actions.map((action, index) => ({ action, expected: texts[index] ?? '' })).filter(hasText),
    expected_result: '',
    isNotSplit: false,
  })
  if (expected === '') return give([])
  const parts = splitWithGaps(expected)
  const named = giveByName(actions, parts)
  if (named !== null) return give(named)
  if (parts.length === actions.length && parts.every(({ number }, index) => number === index + 1)) {
    return give(parts.map(({ text }) => text))
  }
  const [last] = parts.slice(-1)
  if (last !== undefined && last.number <= actions.length) {
    return give(actions.map((_, index) => parts.find(({ number }) => number === index + 1)?.text))
  }
  if (actions.length === 1) return give([expected])
  return { ...give([]), expected_result: expected, isNotSplit: parts.length > 1 }
}

/** `Click "Save" (Validate ER-1)` names the expected result 1. Each must be named exactly once. */
function giveByName(actions: readonly string[], parts: readonly { number: number; text: string }[]): string[] | null {
  if (parts.length === 0) return null
  const names = actions.map((action) =>
    [...action.matchAll(/\bER\s*[-–]?\s*(\d{1,3})\b/gi)].map(([, id]) => Number(id)),
  )
  const all = names.flat()
  if (all.length !== parts.length || !parts.every(({ number }) => all.filter((id) => id === number).length === 1)) {
    return null
  }
  return names.map((ids) => ids.map((id) => parts.find(({ number }) => number === id)?.text ?? '').join('\n'))
}
