/** An error of Nodemailer, with the response of the server and the command that it responds to. */
interface SmtpError extends Error {
  response?: string
  command?: string
  code?: string
}

/** Commands whose responses explain what is wrong with an address or a mail. */
const MESSAGE_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/**
 * Removes secrets from an error before it is logged or stored in the queue. A server may repeat what it received: only the
 * status codes of its response are kept, unless it responds to the mail itself and does not contain the credentials.
 */
export function redactMailError(error: unknown, smtpUrl: string): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { message, response, command = '', code = '' }: SmtpError = error
  // A host with several addresses fails with an AggregateError, which has no message of its own.
  if (response === undefined || response === '') return new Error(message || code)
  const codes = extractStatusCodes(response)
  const redacted = MESSAGE_COMMANDS.has(command) ? message : message.replaceAll(response, codes)
  const isSafe = getCredentials(smtpUrl).every((secret) => !redacted.includes(secret))
  return new Error(isSafe ? redacted : `The mail server returned an error that contains the password: ${codes}`)
}

/** Returns `535 5.7.8` of `535 5.7.8 Authentication failed`: the status codes of RFC 5321 and RFC 3463. */
const extractStatusCodes = (response: string) =>
  /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?!\S)/.exec(response)?.[0] ?? 'no code'

/** Returns the password of a URL in every form in which it is written there and sent to the server. */
function getCredentials(smtpUrl: string): string[] {
  const { username, password } = new URL(smtpUrl)
  if (password === '') return []
  const [user, secret] = [username, password].map(decodePercent)
  const encoded = [secret, `\0${user}\0${secret}`].map((text) => Buffer.from(text ?? '').toString('base64'))
  return [password, secret ?? '', ...encoded]
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
