/** A stable name for objects that hooks open later: each access goes to the current object. */
export const delegate = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, key) => Reflect.get(current(), key) as unknown });
