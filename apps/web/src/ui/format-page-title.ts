/** `WEB · Test cases · Caseward`, the narrowest part first. Parts that are not known yet are left out. */
export const formatPageTitle = (...parts: readonly (string | undefined)[]): string =>
  [...parts, 'Caseward'].filter((part) => part !== undefined).join(' · ')
