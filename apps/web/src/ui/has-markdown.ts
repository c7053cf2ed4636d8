/** What makes a text look different as Markdown. A paragraph of words and line breaks does not. */
const syntax = /[*_`~[\]<>#|\\]|^\s*(?:[-+]|\d+[.)])\s|^\s*(?:---|===)|^(?: {4}|\t)|https?:\/\/|\n\s*\n/m

/** Whether a text has to be rendered as Markdown. It may have no effect: then loading the code was in vain. */
export const hasMarkdown = (text: string): boolean => syntax.test(text)
