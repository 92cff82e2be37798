/** What a reference may name. */
export type ReferenceKind = "project" | "group" | "user";

/**
 * A project, group or user that a declaration names by id or by path, once it is known which one.
 * `path` is the full path (a username for a user), where the service told it.
 */
export interface Reference {
  readonly id: number;
  readonly path?: string;
}

/** Whether the text is an id and not a path. */
export const isNumericId = (text: string): boolean => /^[1-9][0-9]*$/.test(text);

export const reference = (id: number, path?: string): Reference =>
  path === undefined ? { id } : { id, path };
