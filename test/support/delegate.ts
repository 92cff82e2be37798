/**
 * Returns an object that passes each access on to the current object. A test file can so name an object before a hook creates
 * it.
 */
export const delegate = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, key) => Reflect.get(current(), key) as unknown });
