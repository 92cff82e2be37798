import type { AttributePath } from "../diagnostics";
import { type Attribute, type Attributes, attributeEntries, isNested } from "./attribute";
import { sameValue } from "./difference";
import { isObject, isUnknown, UNKNOWN, type Value, type ValueObject } from "./value";

/** Whether two values of an attribute say the same, though they may be spelled differently. */
export type SameMeaning = (attribute: Attribute, one: Value, other: Value, path: AttributePath) => boolean;

export interface AttributesPlan {
  readonly planned: ValueObject;
  readonly requiresReplace: readonly AttributePath[];
}

/**
 * Plans every attribute by its presence. A configured value that means what the prior one means plans the whole
 * prior value, so that spelling alone is never a change.
 */
export function planAttributes(
  attributes: Attributes,
  prior: ValueObject | undefined,
  config: ValueObject,
  sameMeaning: SameMeaning,
): AttributesPlan {
  const planned: Record<string, Value> = {};
  const requiresReplace: AttributePath[] = [];
  let changed = false;
  for (const [name, attribute] of attributeEntries(attributes)) {
    if (attribute.presence === "computed") continue;
    const before = prior?.[name] ?? null;
    const after = plannedValue(attribute, prior && before, config[name] ?? null, [name], sameMeaning);
    planned[name] = after;
    if (prior === undefined || sameValue(after, before)) continue;
    changed ||= isSent(attribute, after);
    // What only the code knows is null after an import; learning it is no reason for a new object.
    const learned = attribute.presence === "code-only" && before === null;
    if (attribute.text.replaces && !learned) requiresReplace.push([name]);
  }
  for (const [name, attribute] of attributeEntries(attributes)) {
    if (attribute.presence !== "computed") continue;
    const isKept = prior !== undefined && !(changed && changesWith(attribute, prior, planned));
    planned[name] = isKept ? (prior[name] ?? null) : UNKNOWN;
  }
  return { planned, requiresReplace };
}

const changesWith = (
  { text: { changesOnUpdate = false } }: Attribute,
  prior: ValueObject,
  planned: ValueObject,
): boolean => (typeof changesOnUpdate === "function" ? changesOnUpdate(prior, planned) : changesOnUpdate);

/** Whether a change asks something of the service: what only the code knows doesn't, nor what is managed no more. */
const isSent = ({ presence }: Attribute, after: Value): boolean =>
  presence !== "code-only" && !(presence === "managed" && after === null);

function plannedValue(
  attribute: Attribute,
  prior: Value | undefined,
  config: Value,
  path: AttributePath,
  sameMeaning: SameMeaning,
): Value {
  const wanted = withDefaults(attribute, config);
  if (wanted === null && attribute.presence === "left-alone") return prior === undefined ? UNKNOWN : prior;
  if (prior === undefined || prior === null || wanted === null || isUnknown(wanted)) return wanted;
  return sameMeaning(attribute, prior, wanted, path) ? prior : wanted;
}

/** The configured value with the defaults of the attribute, and of attributes nested in it, filled in. */
export function withDefaults(attribute: Attribute, value: Value): Value {
  const { type, text } = attribute;
  if (value === null) return (text.default as Value | undefined) ?? null;
  if (!isNested(type) || isUnknown(value)) return value;
  const fill = (element: Value): Value =>
    isObject(element)
      ? Object.fromEntries(
          attributeEntries(type.nested).map(([name, nested]) => [
            name,
            withDefaults(nested, element[name] ?? null),
          ]),
        )
      : element;
  return Array.isArray(value) ? value.map(fill) : fill(value);
}
