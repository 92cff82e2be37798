import { type Diagnostic, error } from "../../diagnostics";
import {
  checkSteps,
  impliedType,
  keyOf,
  locate,
  missingRepetition,
  type ReferenceProblem,
  type ResourceDeclaration,
  type Traversal,
  unsupportedName,
} from "../../language";
import type { Schema } from "../../schema";
import { declarationGraph, type ReferenceUse } from "../declarations/declarations";
import type { StackRun } from "../stack-run/stack-run";

type Steps = Traversal["steps"];

/**
 * Checks every reference of a configuration against the schemas. Nothing is evaluated, as in Terraform: `try`, branches that
 * are not taken and empty loops hide no wrong reference.
 */
export function checkReferences(run: StackRun): Diagnostic[] {
  const { configuration } = run.context;
  const checked = new Map<string, ReferenceProblem | undefined>();
  return declarationGraph(configuration).uses.flatMap((use) => {
    const problem = scopeProblem(use, configuration.resources) ?? stepsProblem(run, use, checked);
    if (problem === undefined) return [];
    const { site, name } = use;
    return [
      error({
        code: "invalid_expression",
        ...problem,
        ...locate(site, name === undefined ? undefined : [name]),
      }),
    ];
  });
}

type Resources = ReadonlyMap<string, ResourceDeclaration>;

/** Names that exist in some places only. */
function scopeProblem(
  { site, name, reference, subject }: ReferenceUse,
  resources: Resources,
): ReferenceProblem | undefined {
  const of = resources.get(site.address);
  if (subject.kind === "path" || subject.kind === "terraform") return unsupportedName(reference);
  if (subject.kind !== "repetition" || name === "import") return undefined;
  if (subject.address === "self")
    return of !== undefined && name === "lifecycle" ? undefined : missingRepetition(reference);
  const isIn = name === "for_each" || name === "count";
  const repeats = (reference.root === "each" ? of?.forEach : of?.count) !== undefined;
  return repeats && !isIn ? unsupportedName(reference) : missingRepetition(reference);
}

/** Finds wrong steps into an object. Thousands of references repeat a few, so each is checked once. */
function stepsProblem(
  run: StackRun,
  { site, name, reference, subject }: ReferenceUse,
  checked: Map<string, ReferenceProblem | undefined>,
): ReferenceProblem | undefined {
  const isSelf = subject.address === "self";
  if (!isSelf && subject.kind !== "resource" && subject.kind !== "data") return undefined;
  const steps = reference.steps.slice(subject.steps);
  if (steps.length === 0) return undefined;
  const address = isSelf ? site.address : subject.address;
  const isWhole = name === "depends_on";
  const key = `${isSelf} ${isWhole} ${address}${steps.map(textOf).join("")}`;
  if (!checked.has(key)) checked.set(key, problemOf(run, address, steps, { isSelf, isWhole }));
  return checked.get(key);
}

function problemOf(
  run: StackRun,
  address: string,
  steps: Steps,
  { isSelf, isWhole }: { readonly isSelf: boolean; readonly isWhole: boolean },
): ReferenceProblem | undefined {
  const declaration = run.context.configuration.resources.get(address);
  const schema = declaration && schemaOf(run, declaration);
  // An undeclared object and an unknown type are reported elsewhere.
  if (schema === undefined) return undefined;
  const isKeyed = !isSelf && "index" in steps[0]!;
  const keyProblem = isSelf ? undefined : instanceProblem(declaration!, isKeyed, steps);
  if (keyProblem !== undefined) return keyProblem;
  const rest = isKeyed ? steps.slice(1) : steps;
  const [first] = rest;
  if (first === undefined) return undefined;
  if (isWhole)
    return {
      summary: "Invalid depends_on",
      detail: `depends_on takes whole objects, without an attribute. Write ${address}.`,
    };
  if ("index" in first)
    return {
      summary: "Invalid index",
      detail: `${address} is an object, which has no elements. Write the attribute with a dot.`,
    };
  return checkSteps(impliedType(schema.attributes), rest);
}

/** An instance has a key if its block repeats, and otherwise none. */
function instanceProblem({ address, count, forEach }: ResourceDeclaration, isKeyed: boolean, steps: Steps) {
  const repeats = count !== undefined || forEach !== undefined;
  if (repeats === isKeyed) return undefined;
  const argument = count === undefined ? "for_each" : "count";
  const [key, rest] = [count === undefined ? "each.key" : "count.index", steps.map(textOf).join("")];
  return repeats
    ? {
        summary: "Missing key of an instance",
        detail: `${address} has "${argument}" and therefore several instances. Write ${address}[${key}]${rest} for one instance, or ${address}[*]${rest} for all.`,
      }
    : {
        summary: "Unexpected key of an instance",
        detail: `${address} has neither "count" nor "for_each", so its only instance has no key. Write ${address}${steps.slice(1).map(textOf).join("")}.`,
      };
}

/** The schema of a declaration; undefined for an unknown type. */
export function schemaOf(run: StackRun, { mode, type, provider }: ResourceDeclaration): Schema | undefined {
  const known = run.providerFor(provider)?.schema;
  return (mode === "managed" ? known?.resources : known?.dataSources)?.[type];
}

const textOf = (step: Steps[number]): string => {
  if ("attribute" in step) return `.${step.attribute}`;
  const key = keyOf(step.index);
  return `[${key === undefined ? "?" : JSON.stringify(key)}]`;
};
