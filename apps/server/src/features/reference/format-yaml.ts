import { stringify } from 'yaml'

import { createYielder } from '../../platform/yielder.ts'

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

// References would be to places of the text, which few readers of OpenAPI documents resolve.
const toYaml = (value: unknown) => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })

const indent = (text: string, width: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(width))

/** Formats an OpenAPI document as YAML, operation by operation: all at once would block the service for seconds. */
export async function formatYaml({ paths = {}, ...rest }: Document): Promise<string> {
  const yielder = createYielder(1)
  const parts = [toYaml(rest), 'paths:\n']
  for (const [path, operations] of Object.entries(paths)) {
    parts.push(`  ${toYaml(path).trimEnd()}:\n`)
    for (const [method, operation] of Object.entries(operations ?? {})) {
      parts.push(indent(toYaml({ [method]: operation }), 4))
      if (yielder.shouldYield()) await yielder.yield()
    }
  }
  return parts.join('')
}
