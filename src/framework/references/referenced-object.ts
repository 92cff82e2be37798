import type { Reference } from "../../schema";

/** The object that a path or an id refers to. */
export interface ReferencedObject extends Reference {
  readonly path: string;
  /** It is read-only. */
  readonly isArchived?: boolean;
  /** What lists can select it by, such as topics. */
  readonly labels?: readonly string[];
}
