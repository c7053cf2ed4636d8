/** Whether the tests run as root; PostgreSQL refuses to, so that it is started as another account then. */
export const isRoot = process.getuid?.() === 0

/** An ordinary account that tests of root can switch to. */
export const NOBODY_ACCOUNT = { name: 'nobody', uid: 65534, gid: 65534 }
