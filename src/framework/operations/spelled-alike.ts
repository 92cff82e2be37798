import { spelledLike, type ValueObject } from "../../schema";
import type { StoredState } from "../protocol/protocol";
import type { ReferencedObject } from "../references/lookups";
import { rememberedIn } from "../references/remembered";
import type { ResourceSession } from "./session";

/**
 * Returns values before a change in the spelling of the values after it. Paths are compared as far as the objects
 * or the run know their meaning.
 */
export function spelledAlike(
  { definition, lookups: { known } }: ResourceSession,
  before: StoredState,
  after: StoredState,
): ValueObject {
  const remembered = [after, before].map((one) => rememberedIn(one.private).references);
  return spelledLike(definition.attributes, before.attributes, after.attributes, (kind, text) => {
    const id = remembered.map((all) => all.get(`${kind}:${text}`)).find((one) => one !== undefined);
    return id ?? (known.byPath(kind, text) as ReferencedObject | undefined)?.id;
  });
}
