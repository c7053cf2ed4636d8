import type { LateFields, ShownFile } from './shown-file.ts'

export { formatBytes } from '@caseward/matching/format-bytes'

/** What stands in place of a content that is not there. */
export const stateWords: Readonly<Record<Exclude<LateFields['state'], 'complete'>, string>> = {
  waiting: 'On its way',
  never_arrived: 'Never arrived',
  removed: 'Removed to free space',
  lost: 'Lost: ask the administrator of the server',
}

export const kindNames: Readonly<Record<ShownFile['kind'], string>> = {
  image: 'Picture',
  video: 'Video',
  audio: 'Sound',
  text: 'Text',
  trace: 'Playwright trace',
  other: 'File',
}

/** What a file belongs to, other than its place: "Step 2", "Attempt 1". */
export function describePart({ step, attempt }: Pick<ShownFile, 'step' | 'attempt'>): string | null {
  const parts = [...(step === null ? [] : [`Step ${step}`]), ...(attempt === null ? [] : [`Attempt ${attempt}`])]
  return parts.length === 0 ? null : parts.join(', ')
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Browsers call every pasted picture `image.png`: this name says when it was pasted. */
export function namePasted(file: Pick<File, 'name' | 'type'>, at: Date): string {
  if (!/^image\.\w+$/.test(file.name) && file.name !== '') return file.name
  const ending = /^image\/(\w+)/.exec(file.type)?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `pasted ${day} ${pad(at.getHours())}.${pad(at.getMinutes())}.${pad(at.getSeconds())}.${ending}`
}
