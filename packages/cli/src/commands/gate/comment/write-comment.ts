import { type Forge, ForgeError } from './forge.ts'

/** What is said about a build. */
export interface Comment {
  /** The first line, which tells the comment of this project and suite from all others. */
  readonly marker: string
  readonly body: string
  /** Whether it is worth a new comment. One that is there already is always kept up to date. */
  readonly isWorthIt: boolean
}

/** The marker of a project's comment: an HTML comment, which nobody sees. A suite may be called anything. */
export const toMarker = (projectId: string, suite: string): string =>
  `<!-- caseward:${encodeURIComponent(projectId)}:${encodeURIComponent(suite).replaceAll('-', '%2D')} -->`

/**
 * Writes the comment, or brings the earlier one up to date. Jobs that do so at the same time leave one, the first: each looks
 * again once it has created its own.
 * @throws {ForgeError}
 */
export async function writeComment(forge: Forge, { marker, body, isWorthIt }: Comment): Promise<void> {
  const text = `${marker}\n${body}`
  const listOwn = async () => (await forge.list()).filter((comment) => comment.isOwn && isMarked(comment.body, marker))
  let own = await listOwn()
  if (own.length === 0) {
    if (!isWorthIt) return
    const id = await forge.create(text)
    own = await listOwn()
    if (own[0] === undefined || own[0].id === id) return await removeAll(forge, own.slice(1))
  }
  const [first, ...twins] = own
  if (first === undefined) return
  await forge.update(first.id, text)
  await removeAll(forge, twins)
}

const isMarked = (body: string, marker: string): boolean => body.split(/\r?\n/, 1)[0]?.trim() === marker

async function removeAll(forge: Forge, comments: readonly { readonly id: number }[]): Promise<void> {
  for (const { id } of comments) {
    try {
      await forge.remove(id)
    } catch (error) {
      // Another job was faster.
      if (!(error instanceof ForgeError) || error.status !== 404) throw error
    }
  }
}
