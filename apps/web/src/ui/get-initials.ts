const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const getFirstLetter = (word: string) => segmenter.segment(word)[Symbol.iterator]().next().value?.segment ?? ''

/** The first letters of the first and the last name. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = ''] = words
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return (getFirstLetter(first) + getFirstLetter(last)).toUpperCase()
}
