const FALLBACK = 'utf-8'

/** Reads the text of an XML file in the encoding that its first bytes or its declaration tell (XML 1.0, appendix F). */
export function decodeXml(bytes: Uint8Array): string {
  try {
    return new TextDecoder(findEncoding(bytes)).decode(bytes)
  } catch {
    // An encoding that browsers do not know.
    return new TextDecoder(FALLBACK).decode(bytes)
  }
}

function findEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  return /^\s*<\?xml[^>]*?\sencoding=["']([\w.:-]+)["']/.exec(start)?.[1] ?? FALLBACK
}
