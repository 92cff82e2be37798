/** Stands for what hooks open later, so that a file names it once: each access goes to what is open now. */
export const delegate = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_, key) => Reflect.get(current(), key) as unknown });
