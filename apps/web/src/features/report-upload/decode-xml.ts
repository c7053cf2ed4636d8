import { createByteDecoder } from '@caseward/junit/decode-bytes'

/**
 * Reads the text of a report in its encoding, as the server and the command do.
 * @throws {JUnitError} for an archive
 */
export function decodeXml(bytes: Uint8Array): string {
  const decoder = createByteDecoder()
  return `${decoder.write(bytes)}${decoder.end()}`.replace(/^\uFEFF/, '')
}
