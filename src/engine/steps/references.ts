import { quote, referencedDeclaration, type Traversal, toJson } from "../../language";

type Step = Traversal["steps"][number];

/** What an expression refers to: a declaration, one instance of it where the reference says so, and the way into it. */
export interface Reference {
  /** The declaration's address, such as `var.region` or `acme_thing.web`. */
  readonly address: string;
  readonly isResource: boolean;
  /** The address with the key that follows it: `acme_thing.web["shop"]`. */
  readonly instance: string;
  readonly path: readonly (string | number)[];
}

export function referenceOf(traversal: Traversal): Reference {
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

/** A reference as Terraform lists it: first all of it, then shorter and shorter down to the declaration. */
export function referenceTexts(traversal: Traversal): string[] {
  const { address, instance, path } = referenceOf(traversal);
  const isIndex = traversal.steps.slice(traversal.steps.length - path.length).map((step) => "index" in step);
  const texts = [instance];
  for (const [at, step] of path.entries()) texts.unshift(`${texts[0]}${stepText(step, isIndex[at]!)}`);
  return instance === address ? texts : [...texts, address];
}

const keyOf = (step: Step): string | number =>
  "attribute" in step ? step.attribute : (toJson(step.index) as string | number);

function stepText(step: string | number, isIndex: boolean): string {
  if (!isIndex) return `.${step}`;
  return typeof step === "number" ? `[${step}]` : `[${quote(step)}]`;
}
