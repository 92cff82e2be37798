import {
  type Configuration,
  compareText,
  type Expression,
  quote,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  type Traversal,
  toPlain,
} from "../../language";
import { withoutKey } from "../declarations/address-keys";
import type { RelevantAttribute } from "../results/plan";

type PathStep = Traversal["steps"][number];

/**
 * The target of a reference in an expression: a declaration, an instance if the reference has a key, and the path of an
 * attribute.
 */
interface ExpressionReference {
  /** The address of the declaration, such as `var.region` or `acme_thing.web`. */
  readonly address: string;
  readonly isResource: boolean;
  /** The address with the key, if the reference has one: `acme_thing.web["shop"]`. */
  readonly instance: string;
  readonly path: readonly (string | number)[];
}

export function parseReference(traversal: Traversal): ExpressionReference {
  const { kind, address, steps } = referencedDeclaration(traversal);
  const rest = traversal.steps.slice(steps);
  const isResource = kind === "resource" || kind === "data";
  const key = isResource && rest[0] !== undefined && "index" in rest[0] ? rest.shift() : undefined;
  return {
    address,
    isResource,
    instance: key === undefined ? address : `${address}${stepText(keyOf(key), true)}`,
    path: rest.map(keyOf),
  };
}

/**
 * Returns the texts of a reference as Terraform lists them in plans. The first text is complete. Each next text is one
 * step shorter; the last text is the declaration.
 */
export function referenceTexts(traversal: Traversal): string[] {
  const { address, instance, path } = parseReference(traversal);
  const indexFlags = traversal.steps
    .slice(traversal.steps.length - path.length)
    .map((step) => "index" in step);
  const texts = [instance];
  for (const [at, step] of path.entries()) texts.unshift(`${texts[0]}${stepText(step, indexFlags[at]!)}`);
  return instance === address ? texts : [...texts, address];
}

const keyOf = (step: PathStep): string | number =>
  "attribute" in step ? step.attribute : (toPlain(step.index) as string | number);

function stepText(step: string | number, isIndex: boolean): string {
  if (!isIndex) return `.${step}`;
  return typeof step === "number" ? `[${step}]` : `[${quote(step)}]`;
}

/**
 * Returns the attributes from which changed objects and outputs get values. The values come directly from these attributes, or
 * through locals and other declarations.
 *
 * @param changed the addresses of changed objects, and of changed outputs as `output.NAME`
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

function expressionsOf(declaration: ResourceDeclaration): Expression[] {
  const { constants, count, forEach } = declaration;
  // A constant block contains no references.
  const attributes = constants === undefined ? declaration.body.values() : [];
  return [...attributes, count, forEach].filter((one) => one !== undefined);
}

/**
 * Returns the expressions from which a referenced value comes: the expression of the local, or the expression of the attribute
 * in the declaration.
 */
function sourceExpressions({ locals, resources }: Configuration, { address, path }: ExpressionReference) {
  if (address.startsWith("local.")) {
    const local = locals.get(address.slice("local.".length));
    return local === undefined ? [] : [local];
  }
  const declaration = resources.get(address);
  if (declaration === undefined) return [];
  const [attribute] = path;
  if (attribute === undefined) return expressionsOf(declaration);
  if (declaration.constants !== undefined) return [];
  const declared = declaration.body.get(String(attribute));
  return declared === undefined ? [] : [declared];
}
