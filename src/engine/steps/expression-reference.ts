import { quote, referencedDeclaration, type Traversal, toJson } from "../../language";

type PathStep = Traversal["steps"][number];

/**
 * The target of a reference in an expression: a declaration, one of its instances if the reference has a key,
 * and a path into it.
 */
export interface ExpressionReference {
  /** The declaration's address, such as `var.region` or `acme_thing.web`. */
  readonly address: string;
  readonly isResource: boolean;
  /** The address with the key that follows it: `acme_thing.web["shop"]`. */
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

/** A reference as Terraform lists it in plans: in full, then shortened step by step to the declaration. */
export function referenceTexts(traversal: Traversal): string[] {
  const { address, instance, path } = parseReference(traversal);
  const isIndex = traversal.steps.slice(traversal.steps.length - path.length).map((step) => "index" in step);
  const texts = [instance];
  for (const [at, step] of path.entries()) texts.unshift(`${texts[0]}${stepText(step, isIndex[at]!)}`);
  return instance === address ? texts : [...texts, address];
}

const keyOf = (step: PathStep): string | number =>
  "attribute" in step ? step.attribute : (toJson(step.index) as string | number);

function stepText(step: string | number, isIndex: boolean): string {
  if (!isIndex) return `.${step}`;
  return typeof step === "number" ? `[${step}]` : `[${quote(step)}]`;
}
