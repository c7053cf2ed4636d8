import {
  decodeCharacterReferences,
  MAX_SCANNED_LENGTH,
  MAX_SCANNED_NAME_LENGTH,
  stripControlCharacters,
  truncateName,
  truncateText,
} from './clean-text.ts'
import type { TextState } from './xml-parser.ts'

/** Cleans the attributes of a tag. A missing attribute is ''. */
export interface AttributeCleaner {
  /** Removes what cannot be displayed. Of a value that is far too long, returns only the beginning. */
  strip(value: string): string
  /** Truncates the value, too. */
  clean(value: string | undefined): string
  /** Truncates the value so that it stays different from others. */
  cleanName(value: string | undefined): string
}

/** @param state that of the parser, which describes the tag that is being read */
export function createAttributeCleaner(state: Readonly<TextState>): AttributeCleaner {
  function strip(value: string, maxLength = MAX_SCANNED_LENGTH): string {
    if (!state.hasControls) return value
    const start = truncateText(value, maxLength)
    const isTruncated = start.length < value.length
    return stripControlCharacters(state.hasReferences ? decodeCharacterReferences(start, isTruncated) : start)
  }
  return {
    strip,
    clean: (value = '') => truncateText(strip(value)),
    cleanName: (value = '') => truncateName(strip(value, MAX_SCANNED_NAME_LENGTH), value),
  }
}
