/**
 * Whether a client prefers a response with gzip to one without encoding (RFC 9110, section 12.5.3).
 * @param acceptEncoding the header `Accept-Encoding`
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false
  const weights = new Map(acceptEncoding.split(',').map(parseCoding))
  // `x-gzip` is an old name of gzip. A response without encoding is acceptable unless it is excluded, but not preferred.
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** Parses `gzip;q=0.5`. A malformed weight is not a number, so that the coding is not used. */
function parseCoding(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
}
