/** A behaviour that differs between the specification and the live platform. */
export interface ByMode<T> {
  readonly strict: T;
  readonly observed: T;
}

/** `strict` follows the specification, `observed` the live platform. */
export type CompatMode = keyof ByMode<unknown>;

/** A behaviour that is the same in both modes. */
export const always = <T>(form: T): ByMode<T> => ({ strict: form, observed: form });

/** The behaviour in the mode of an instance. */
export const inMode = <T>({ compat }: { readonly compat: CompatMode }, habit: ByMode<T>): T => habit[compat];
