/** An object whose fields are left out where their value is undefined. */
export type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields whose value is undefined. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const found: Record<string, unknown> = {};
  // Several times faster than by entries: a report calls it for each object.
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as Defined<T>;
}
