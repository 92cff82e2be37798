import { attributeEntries, isUnknown, type ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ReplacedRequest, ReplacedValues } from "../protocol/protocol";
import { References } from "../references/references";
import { failureReason } from "./failure-reason";
import { type Session, scopeOf } from "./session";
import { toState } from "./state";

/**
 * The live values that creating a setting replaces. Only a container's own settings exist without a create: of all other
 * objects, and while the container is not known, there is nothing to replace.
 */
export async function replacedValues(
  definition: ResourceDefinition,
  session: Session,
  { config, private: remembered }: ReplacedRequest,
): Promise<ReplacedValues | undefined> {
  const { container: kind, key } = definition;
  const name = config[kind];
  if (key !== undefined || !session.isConnected || typeof name !== "string") return undefined;
  const declared = declaredSettings(definition, config);
  if (declared.length === 0) return undefined;
  const references = new References(session.lookups, remembered);
  try {
    const { id: container } = await references.resolve(kind, name, [kind]);
    const found = await definition.read(scopeOf(definition, session, container), "");
    if (found === undefined) return undefined;
    const like = Object.fromEntries(Object.entries(config).filter(([, value]) => !isUnknown(value)));
    const { attributes } = await toState(definition, { container, key: "" }, found, like, references);
    return { live: Object.fromEntries(declared.map((one) => [one, attributes[one] ?? null])) };
  } catch (problem) {
    return { why: failureReason(session, problem) };
  }
}

/** The attributes that a configuration sets on the service. */
const declaredSettings = ({ attributes, container }: ResourceDefinition, config: ValueObject): string[] =>
  attributeEntries(attributes)
    .filter(
      ([name, { presence }]) => presence !== "computed" && presence !== "configOnly" && name !== container,
    )
    .map(([name]) => name)
    .filter((name) => (config[name] ?? null) !== null);
