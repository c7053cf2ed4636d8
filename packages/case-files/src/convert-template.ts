import { INDENT } from './join-steps.ts'
import { type PastedStep, splitPastedSteps } from './split-pasted-steps.ts'

/** The text as the steps that are stored. */
export const toTextSteps = (text: string): { action: string; expected: string }[] =>
  text.trim() === '' ? [] : [{ action: text, expected: '' }]

/** A text as steps: what `joinSteps` has joined, or else one step per line, as when it is pasted. */
export const splitText = (text: string): readonly PastedStep[] => splitJoined(text) ?? splitPastedSteps(text)

/** Returns the steps that were joined to a text; null if it is another one. */
function splitJoined(text: string): PastedStep[] | null {
  const steps: { action: string[]; expected: string[] }[] = []
  for (const line of text.split('\n')) {
    const start = `${steps.length + 1}. `
    const step = steps.at(-1)
    if (line.startsWith(start)) steps.push({ action: [line.slice(start.length)], expected: [] })
    else if (step === undefined) return null
    else if (line.startsWith(INDENT)) step.expected.push(line.slice(INDENT.length))
    else if (step.expected.length === 0) step.action.push(line)
    else return null
  }
  return steps.map(({ action, expected }) => ({ action: action.join('\n'), expected: expected.join('\n') }))
}
