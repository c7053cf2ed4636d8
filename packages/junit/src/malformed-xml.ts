import { JUnitError, type Position } from './junit-error.ts'

/** saxes' word for a declaration after white space, which is harmless, and for one in the middle, which is not. */
export const DECLARATION_NOT_FIRST = 'an XML declaration must be at the start of the document.'

/** saxes' reasons in plainer words. */
const PLAIN_WORDS: ReadonlyMap<string, string> = new Map([
  ['unexpected close tag.', 'a closing tag does not match the element that is open'],
  ['document must contain a root element.', 'it ends before its first element'],
  ['documents may contain only one root.', 'a second report begins after the end of the first; send one at a time'],
  [DECLARATION_NOT_FIRST, 'an XML declaration stands in the middle; are these several reports in one?'],
  ['disallowed character in attribute name.', 'this character does not belong in a tag'],
  ['disallowed character in tag name', '"<" must be written as "&lt;" in text'],
  ['incorrect syntax.', '"<!" begins neither a comment nor CDATA'],
])

/** @param reason a clause without a full stop, or one of saxes' own. */
export function malformedXmlError(reason: string, position: Position): JUnitError {
  const what = PLAIN_WORDS.get(reason) ?? reason.replace(/\.$/, '')
  const place = `line ${position.line}, column ${position.column}`
  return new JUnitError('malformed_xml', `The XML is malformed at ${place}: ${what}.`, position)
}
