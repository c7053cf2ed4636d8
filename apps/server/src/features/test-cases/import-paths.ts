/** The JSON Pointer of a row of an import. */
export const getRowPath = (index: number): string => `/rows/${index}`
