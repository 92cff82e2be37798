/**
 * Returns an object that passes each access on to the current object. With this object, a test file can refer to an
 * object before a hook creates it.
 */
export const delegate = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, key) => Reflect.get(current(), key) as unknown });
