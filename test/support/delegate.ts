/**
 * Returns an object that passes each access on to the current object. With it, a test file can refer to an object before a
 * hook creates the object.
 */
export const delegate = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, key) => Reflect.get(current(), key) as unknown });
