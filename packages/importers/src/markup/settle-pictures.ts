import type { LossCode } from '../losses.ts'
import type { PictureRecord } from '../records.ts'

/** Code, which stays as it is; a picture of Markdown; one of TestLink. None of them can begin within another: the time is linear. */
const PICTURE =
  /(`{3,})[^]*?(?:\1|$)|`[^`\n]*`|!\[([^[\]\n]{0,500})\]\(\s*<?([^\s()<>[\]]{1,40000})>?(?:\s+"[^"\n[]{0,500}")?(?:\s+=[^()\s[]{0,20})?\s*\)|\[tlInlineImage\](\d{1,12})\[\/tlInlineImage\]/g
const WEB = /^https?:\/\//i
/** Addresses at which tools show what is attached only to those who have signed in. */
const NEEDS_LOGIN = /\/attachments?\b|\/_apis\/|\/secure\/|index\.php|\/uploads\//i

/**
 * Lets a text show those of its pictures that are attached, or that have an address. The others are their names.
 * @param pictures the files of the test case whose content comes with it
 */
export function settlePictures(text: string, pictures: readonly PictureRecord[], losses: LossCode[]): string {
  if (!text.includes('![') && !text.includes('[tlInlineImage]')) return text
  return text.replaceAll(
    PICTURE,
    (whole, _, alt: string | undefined, written: string | undefined, inline: string | undefined) => {
      const address = inline === undefined ? written : `attachment/${inline}`
      if (address === undefined || /^data:image\//i.test(address)) return whole
      const label = (alt ?? '').trim()
      const found = pictures.find((picture) => isAt(picture, address))
      if (found !== undefined) return `![${label || toLabel(found.name)}](attachment:${found.attachment})`
      if (WEB.test(address)) {
        if (NEEDS_LOGIN.test(address)) losses.push('image_needs_login')
        return whole
      }
      losses.push('image_not_in_file')
      return `_Picture not in the file: ${label || toLabel(getName(address))}_`
    },
  )
}

const toLabel = (name: string) => name.replaceAll(/[[\]\n*`]/g, ' ').trim() || 'picture'

/** Whether a file is what an address shows: by its id in the address, else by its name. */
function isAt({ id, name }: PictureRecord, address: string): boolean {
  const isId = /^\d+$/.test(id)
    ? [...address.matchAll(/(?:attachments?|get|view|download|file|id)[/=](\d{1,20})(?!\w)/gi)].some(
        ([, n]) => n === id,
      )
    : id !== '' &&
      address
        .toLowerCase()
        .split(/[^\w-]+/)
        .includes(id.toLowerCase())
  return isId || getName(address) === name
}

/** The last part of an address, or the name that it ends with: `…?fileName=shop.png`. */
function getName(address: string): string {
  if (address === 'embedded') return 'embedded picture'
  const [path = '', query = ''] = address.split(/[?#]/)
  const named = /(?:^|&)filename=([^&]*)/i.exec(query)?.[1]
  const place = path.endsWith('.php') ? query : path
  const name = named ?? place.split(/[/=]/).at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
