/** Encodings that files with test cases may have, in the order of their use. */
export const ENCODINGS = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16, little endian)',
  'utf-16be': 'Unicode (UTF-16, big endian)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  gb18030: 'Simplified Chinese (GB18030)',
  big5: 'Traditional Chinese (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC-KR)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  macintosh: 'Western European (Mac)',
} as const
export type Encoding = keyof typeof ENCODINGS

/** The text of a file. */
export interface DecodedText {
  readonly text: string
  readonly encoding: Encoding
  /** Whether the encoding follows from the bytes; otherwise it is a guess, and a preview must show the text. */
  readonly isCertain: boolean
}

/** More does not change the guess. */
const SAMPLE_BYTES = 100_000

/**
 * Decodes a file of text.
 * @param encoding as the user has chosen it; detected by default
 */
export function decodeText(bytes: Uint8Array, encoding?: Encoding): DecodedText {
  if (encoding !== undefined) return { text: decodeWhole(bytes, encoding), encoding, isCertain: true }
  const marked = findByteOrderMark(bytes)
  if (marked !== null) return decodeText(bytes, marked)
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  // UTF-8 would be valid, but NUL characters are no text.
  const wide = findUtf16(sample)
  if (wide !== null) return decodeText(bytes, wide)
  const text = tryDecode(bytes, 'utf-8')
  if (text !== null) return { text, encoding: 'utf-8', isCertain: true }
  return { ...decodeText(bytes, guessLegacy(sample)), isCertain: false }
}

/**
 * Decodes as a stream, in two calls: Node.js since 20.18.3 takes a whole text in Windows-1252 for Latin-1, in which `€` and
 * typographic quotes are control characters (https://github.com/nodejs/node/issues/56542).
 */
function decodeWhole(bytes: Uint8Array, encoding: Encoding): string {
  const decoder = new TextDecoder(encoding)
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

function findByteOrderMark([first, second, third]: Uint8Array): Encoding | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** In UTF-16, every second byte of commas, line ends and Latin letters is zero. */
function findUtf16(sample: Uint8Array): Encoding | null {
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const minimum = Math.max(1, sample.length / 20)
  if (odd >= minimum && even * 10 < odd) return 'utf-16le'
  return even >= minimum && odd * 10 < even ? 'utf-16be' : null
}

function tryDecode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Share of the non-ASCII texts of even length above which a file has two bytes per character. */
const EVEN_SHARE = 0.95

/**
 * Guesses the encoding of text with bytes above 127: Chinese texts are pairs of them, Cyrillic words are longer than the
 * single accented letters of other languages.
 */
function guessLegacy(sample: Uint8Array): Encoding {
  const lengths = getHighRuns(sample)
  const even = lengths.filter((length) => length % 2 === 0).length
  // The sample may end within a character.
  const isValid = [0, 1, 2, 3].some((cut) => tryDecode(sample.subarray(0, sample.length - cut), 'gb18030') !== null)
  if (isValid && even >= EVEN_SHARE * lengths.length) return 'gb18030'
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1)
  return average >= 2.5 ? 'windows-1251' : 'windows-1252'
}

/** Lengths of the sequences of bytes above 127. */
function getHighRuns(sample: Uint8Array): number[] {
  const lengths: number[] = []
  let length = 0
  for (const byte of sample) {
    if (byte > 0x7f) length += 1
    else if (length > 0) {
      lengths.push(length)
      length = 0
    }
  }
  return length > 0 ? [...lengths, length] : lengths
}
