/** The kind of a referenced object, such as `user`; the provider defines the kinds. */
export type ReferenceKind = string;

/**
 * A resolved reference. `path` is what users write instead of the id, such as a full path or a username, if
 * the service returned it.
 */
export interface Reference {
  readonly id: number;
  readonly path?: string;
}

/** The syntax of paths of one kind. */
export interface PathSyntax {
  readonly pattern: RegExp;
  /** How to write one, for messages: `its full path, such as "acme/web-shop"`. */
  readonly hint: string;
}

export type PathSyntaxes = Readonly<Record<ReferenceKind, PathSyntax>>;

/** Whether the text is an id rather than a path. */
export const isNumericId = (text: string): boolean => /^[1-9][0-9]*$/.test(text);

export const reference = (id: number, path?: string): Reference =>
  path === undefined ? { id } : { id, path };
