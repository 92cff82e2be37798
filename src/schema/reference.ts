/** What a reference names, such as `project`: a word that the provider gives. */
export type ReferenceKind = string;

/**
 * What a declaration names by id or by path, once it is known which one. `path` is what users write instead of the id, such
 * as a full path or a username, where the service told it.
 */
export interface Reference {
  readonly id: number;
  readonly path?: string;
}

/** What the paths of one kind look like. */
export interface PathShape {
  readonly pattern: RegExp;
  /** What to give, for messages: `its full path, such as "acme/web-shop"`. */
  readonly says: string;
}

/** By kind. */
export type PathShapes = Readonly<Record<ReferenceKind, PathShape>>;

/** Whether the text is an id and not a path. */
export const isNumericId = (text: string): boolean => /^[1-9][0-9]*$/.test(text);

export const reference = (id: number, path?: string): Reference =>
  path === undefined ? { id } : { id, path };
