import type { AttributePath } from "../../diagnostics";
import type { Found, ResourceDefinition } from "../definition";
import type { StoredState } from "../protocol";
import type { References } from "../references";
import {
  type Attributes,
  type Declared,
  isUnknown,
  type Value,
  type ValueObject,
  withDefaults,
} from "../schema";
import { meaning, type Resolved, resolveValue, spellValue } from "../spelling";
import { formatId, type Identity } from "./session";

/** A declaration as lifecycles receive it: defaults filled in, references resolved, null where left out. */
export async function resolveDeclared(
  definition: ResourceDefinition,
  config: ValueObject,
  references: References,
): Promise<Declared<Attributes>> {
  const declared: Record<string, Resolved> = {};
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    if (attribute.presence === "computed") continue;
    declared[name] = await resolveValue(
      attribute.type,
      withDefaults(attribute, config[name] ?? null),
      references,
      [name],
    );
  }
  return declared as Declared<Attributes>;
}

/**
 * The state to store for what a lifecycle found. `like` is the prior state or the plan: it gives the spelling of
 * references, what only the code knows, and which sets are managed at all.
 */
export async function toState(
  definition: ResourceDefinition,
  identity: Identity,
  found: Found<Attributes>,
  like: ValueObject | undefined,
  references: References,
): Promise<StoredState> {
  const attributes: Record<string, Value> = { id: formatId(identity) };
  for (const [name, { presence, type }] of Object.entries(definition.attributes)) {
    const likeValue = like === undefined || isUnknown(like[name]) ? null : (like[name] ?? null);
    const unmanaged = presence === "managed" && like !== undefined && likeValue === null;
    if (presence === "code-only" || unmanaged) attributes[name] = likeValue;
    else if (name === definition.container && likeValue !== null) attributes[name] = likeValue;
    else {
      const value =
        name === definition.container
          ? { id: identity.container }
          : (found as Record<string, Resolved>)[name];
      attributes[name] = await spellValue(type, value ?? null, likeValue, references);
    }
  }
  return { attributes, private: references.remember() };
}

/** The attributes in which what was found is not what was declared; those left out are not compared. */
export function differences(
  definition: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): AttributePath[] {
  return Object.entries(definition.attributes)
    .filter(([name, { presence, type }]) => {
      if (presence === "computed" || presence === "code-only" || name === definition.container) return false;
      const wanted = (declared as Record<string, Resolved>)[name] ?? null;
      if (wanted === null && presence !== "unset") return false;
      return meaning(type, wanted) !== meaning(type, (found as Record<string, Resolved>)[name] ?? null);
    })
    .map(([name]) => [name]);
}
