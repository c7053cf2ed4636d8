/** Rows with other words delete something, or were written wrong. */
const ACTIONS = new Set(['', 'C', 'CREATE', 'U', 'UPDATE'])

/** Whether a row of a workbook says what there is. */
export const isRead = (action: string) => ACTIONS.has(action.toUpperCase())
