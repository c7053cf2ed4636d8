/** What Nodemailer tells of a failure: what the server said, if it was that, and to which command. */
interface SmtpError extends Error {
  response?: string
  command?: string
  code?: string
}

/** The commands whose refusals are worth reading: they say what is wrong with an address or a mail. */
const MESSAGE_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/**
 * Why a mail could not be handed over, fit for log and queue. A server may repeat what it was sent: of what it says only
 * the codes are kept, unless it says it of the mail itself and without the credentials.
 */
export function redactMailError(error: unknown, smtpUrl: string): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { message, response, command = '', code = '' }: SmtpError = error
  // A name with several addresses fails with an error for each and no message of its own.
  if (response === undefined || response === '') return new Error(message || code)
  const codes = extractStatusCodes(response)
  const told = MESSAGE_COMMANDS.has(command) ? message : message.replaceAll(response, codes)
  const isSafe = getCredentials(smtpUrl).every((secret) => !told.includes(secret))
  return new Error(isSafe ? told : `The mail server failed, and what it said of it repeats the password: ${codes}`)
}

/** `535 5.7.8` of `535 5.7.8 Authentication failed`: what kind of refusal it is, by RFC 5321 and RFC 3463. */
const extractStatusCodes = (response: string) =>
  /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?!\S)/.exec(response)?.[0] ?? 'no code'

/** The password of an address, as it is written there and as it goes over the wire. */
function getCredentials(smtpUrl: string): string[] {
  const { username, password } = new URL(smtpUrl)
  if (password === '') return []
  const [user, secret] = [username, password].map(decoded)
  const encoded = [secret, `\0${user}\0${secret}`].map((text) => Buffer.from(text ?? '').toString('base64'))
  return [password, secret ?? '', ...encoded]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
