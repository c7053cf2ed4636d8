const SECRET_NAME = /TOKEN|SECRET|PASSWORD|KEY/i

/** A shorter value, such as `1`, is no secret, and stands everywhere in an output. */
const MIN_LENGTH = 4

/**
 * Creates a function that replaces the values of environment variables whose names say that they are secret. A value of several
 * lines, such as a private key, is replaced line by line, too; a value that stands in an address, also as it is encoded there.
 */
export function createRedactor(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = new Set<string>()
  for (const [name, value = ''] of Object.entries(env)) {
    if (!SECRET_NAME.test(name)) continue
    for (const part of [value, value.trim(), ...value.split(/[\r\n]+/)]) {
      for (const text of [part, encodeURIComponent(part.toWellFormed())]) {
        if (text.trim().length >= MIN_LENGTH) secrets.add(text)
      }
    }
  }
  // A secret may contain another one.
  const ordered = [...secrets].toSorted((a, b) => b.length - a.length)
  return (text) => ordered.reduce((result, secret) => result.replaceAll(secret, '***'), text)
}
