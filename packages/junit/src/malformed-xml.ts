import { JUnitError, type Position } from './junit-error.ts'

/** saxes' message for a declaration after white space, which is harmless, and for one in the middle, which is not. */
export const DECLARATION_NOT_FIRST = 'an XML declaration must be at the start of the document.'

/** Clearer texts for messages of saxes. */
const CLEARER_REASONS: ReadonlyMap<string, string> = new Map([
  ['unexpected close tag.', 'the closing tag does not match the open element'],
  ['document must contain a root element.', 'the report ends before its first element'],
  [
    'documents may contain only one root.',
    'a second report starts after the end of the first; send one report per file',
  ],
  [DECLARATION_NOT_FIRST, 'an XML declaration is only allowed at the start; send one report per file'],
  ['disallowed character in attribute name.', 'this character is not allowed in a tag'],
  ['disallowed character in tag name', '"<" must be written as "&lt;" in text'],
  ['incorrect syntax.', '"<!" must start a comment or CDATA section'],
])

/** @param reason a clause without a period, or a message of saxes */
export function malformedXmlError(reason: string, position: Position): JUnitError {
  const clause = CLEARER_REASONS.get(reason) ?? reason.replace(/\.$/, '')
  const place = `line ${position.line}, column ${position.column}`
  return new JUnitError('malformed_xml', `The XML is malformed at ${place}: ${clause}.`, position)
}
