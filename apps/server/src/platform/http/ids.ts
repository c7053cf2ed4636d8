const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text has the form of an id. Only lower case, as ids are given out: one thing has one id. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** Before the ids of everything: where reading in their order begins. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
