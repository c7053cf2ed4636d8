import { ImportProblem } from '../../import-problem.ts'
import type { ImportFile } from '../../input/import-file.ts'
import { readText } from '../../input/read-text.ts'

/** A record of 500 steps with the longest texts has 64 MB. */
const MAX_LINE = 80 * 2 ** 20

/**
 * Reads a file with a JSON object a line.
 * @throws {ImportProblem} with the line that is none
 */
export async function* readJsonLines(file: ImportFile): AsyncGenerator<Record<string, unknown>> {
  let pieces: string[] = []
  let [length, line] = [0, 0]
  const parse = (text: string): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    } catch {
      // A deep one overflows the stack, and is no record either.
    }
    throw new ImportProblem('unreadable_file', `"${file.name}", line ${line}: this is no JSON object. Export it again.`)
  }
  for await (const piece of readText(file, 'utf-8')) {
    const parts = piece.split('\n')
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        line += 1
        const text = pieces.join('')
        pieces = []
        length = 0
        if (text.trim() !== '') yield parse(text)
      }
      pieces.push(part)
      length += part.length
      if (length > MAX_LINE) {
        throw new ImportProblem('unreadable_file', `"${file.name}", line ${line + 1}: the line is too long.`)
      }
    }
  }
  line += 1
  const rest = pieces.join('')
  if (rest.trim() !== '') yield parse(rest)
}
