/** One thing that the live platform does otherwise than the specification says, in both forms. */
export interface ByMode<T> {
  readonly strict: T;
  readonly observed: T;
}

/** The specification to the letter, or what the live platform is known to do. */
export type CompatMode = keyof ByMode<unknown>;

/** What is the same in both modes. */
export const always = <T>(form: T): ByMode<T> => ({ strict: form, observed: form });

/** The form that an instance of this mode has. */
export const inMode = <T>({ compat }: { readonly compat: CompatMode }, habit: ByMode<T>): T => habit[compat];
