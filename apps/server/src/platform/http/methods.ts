export const isWriteMethod = (method: string): boolean => method !== 'GET' && method !== 'HEAD'
