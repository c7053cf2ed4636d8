/** Whether a text is the address of a web page. Anyone with a CI token can send any text: nothing else becomes a link. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
