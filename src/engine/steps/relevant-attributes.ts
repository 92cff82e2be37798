import {
  type Configuration,
  compareText,
  type Expression,
  type ResourceDeclaration,
  references,
} from "../../language";
import type { RelevantAttribute } from "../model/plan";
import { withoutKey } from "../run/targets";
import { type ExpressionReference, parseReference } from "./expression-reference";

/**
 * The attributes that the changed objects and outputs get values from, directly or through locals and other
 * declarations.
 *
 * @param changed addresses of objects, and of outputs as `output.NAME`
 */
export function relevantAttributes(
  configuration: Configuration,
  changed: Iterable<string>,
): RelevantAttribute[] {
  const found = new Map<string, RelevantAttribute>();
  const seen = new Set<string>();
  const pending = [...changed].flatMap((address) => expressionsAt(configuration, address));
  for (let expression = pending.pop(); expression !== undefined; expression = pending.pop()) {
    for (const reference of references(expression).map(parseReference)) {
      const { instance, isResource, path } = reference;
      const key = JSON.stringify([instance, path]);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isResource) found.set(key, { resource: instance, attribute: [...path] });
      pending.push(...sourceExpressions(configuration, reference));
    }
  }
  return [...found.values()].sort(
    (one, other) =>
      compareText(one.resource, other.resource) ||
      compareText(one.attribute.join("."), other.attribute.join(".")),
  );
}

function expressionsAt({ resources, outputs }: Configuration, address: string): Expression[] {
  if (address.startsWith("output.")) {
    const output = outputs.get(address.slice("output.".length));
    return output === undefined ? [] : [output.value];
  }
  const declaration = resources.get(withoutKey(address));
  return declaration === undefined ? [] : expressionsOf(declaration);
}

const expressionsOf = ({ body, count, forEach }: ResourceDeclaration): Expression[] =>
  [...body.values(), count, forEach].filter((one) => one !== undefined);

/** The expressions behind a referenced value: that of the local, or of the attribute in its declaration. */
function sourceExpressions(
  { locals, resources }: Configuration,
  { address, path }: ExpressionReference,
): Expression[] {
  if (address.startsWith("local.")) {
    const local = locals.get(address.slice("local.".length));
    return local === undefined ? [] : [local];
  }
  const declaration = resources.get(address);
  if (declaration === undefined) return [];
  const [attribute] = path;
  if (attribute === undefined) return expressionsOf(declaration);
  const declared = declaration.body.get(String(attribute));
  return declared === undefined ? [] : [declared];
}
