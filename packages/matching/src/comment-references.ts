/** A user that a comment mentions, with the name that was stored. */
export interface Mention {
  userId: string
  name: string
}

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const MENTION = new RegExp(String.raw`@\[([^[\]\n]{1,255})\]\(user:(${ID})\)`, 'gi')
const ATTACHMENT = new RegExp(String.raw`\]\(attachment:(${ID})\)`, 'gi')
/** Fenced code, which may end with the text, and code in a line. */
const CODE = /(`{3,})[^]*?(?:\1|$)|`[^`\n]*`/g

/** Finds the users that a comment mentions, each once. Code mentions nobody. */
export function findMentions(body: string): Mention[] {
  const names = new Map<string, string>()
  for (const [, name = '', userId = ''] of body.replaceAll(CODE, '').matchAll(MENTION)) {
    const id = userId.toLowerCase()
    if (!names.has(id)) names.set(id, name)
  }
  return Array.from(names, ([userId, name]) => ({ userId, name }))
}

/** Finds the ids of the attachments that a comment shows, each once. */
export const findAttachmentIds = (body: string): string[] => [
  ...new Set(Array.from(body.matchAll(ATTACHMENT), ([, id = '']) => id.toLowerCase())),
]

/** Formats what a comment contains to mention a user. Characters that would end it are removed from the name. */
export const formatMention = ({ userId, name }: Mention): string =>
  `@[${name.replaceAll(/[[\]\n]/g, '').trim() || 'user'}](user:${userId})`

/** Replaces the ids of users that are mentioned. @param mapUser returns the id that takes the place of one */
export const mapMentions = (body: string, mapUser: (userId: string) => string): string =>
  body.replaceAll(MENTION, (_, name: string, id: string) => `@[${name}](user:${mapUser(id.toLowerCase())})`)

/** Replaces the ids of attachments that a comment shows. @param mapId returns the id that takes the place of one */
export const mapAttachmentIds = (body: string, mapId: (id: string) => string): string =>
  body.replaceAll(ATTACHMENT, (_, id: string) => `](attachment:${mapId(id.toLowerCase())})`)

/** Replaces mentions by names, for plain text. @param getName returns undefined for a user who is not known */
export const replaceMentions = (body: string, getName: (mention: Mention) => string | undefined): string =>
  body.replaceAll(MENTION, (_, name: string, id: string) => {
    const mention = { userId: id.toLowerCase(), name }
    return `@${getName(mention) ?? name}`
  })
