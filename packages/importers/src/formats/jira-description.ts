import { toText } from './answers.ts'
import { isRaw, type Raw, readObjects, readString } from './caseward/read-values.ts'

/** A text in the markup of Jira, or a document of the newer editor, of which the texts are taken. */
export function readDescription(value: unknown): string {
  if (!isRaw(value)) return toText(value)
  const blocks = new Set(['paragraph', 'heading', 'listItem', 'codeBlock', 'tableCell'])
  const read = (node: Raw, depth: number): string => {
    if (node['type'] === 'hardBreak') return '\n'
    const inner = depth > 50 ? [] : readObjects(node, 'content').map((each) => read(each, depth + 1))
    const text = toText(node['text']) + inner.join('')
    return blocks.has(readString(node, 'type')) ? `${text}\n\n` : text
  }
  return read(value, 0)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
