import type { Diagnostic } from "../../diagnostics";
import {
  DYNAMIC,
  type Expression,
  type ImportDeclaration,
  isKnown,
  type Repetition,
  type ResourceDeclaration,
  unknown,
} from "../../language";
import type { ResourceSchema } from "../../schema";
import { invalidImport } from "../run/check-imports";
import { keyProblem, readId, readRepetitions } from "../run/import-arguments";
import { noIdentity, readIdentity } from "../run/import-identity";
import { importsOf } from "../run/imports-of";
import type { StackRun } from "../run/stack-run";

/** Validates the `import` blocks of a resource, as far as their values are known. */
export const validateImports = (run: StackRun, declaration: ResourceDeclaration): Diagnostic[] =>
  importsOf(run.context.configuration, declaration.address).flatMap((block) =>
    validateImport(run, declaration, block),
  );

function validateImport(
  run: StackRun,
  declaration: ResourceDeclaration,
  block: ImportDeclaration,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const each = unknown(DYNAMIC);
  const evaluate = (expression: Expression | undefined, argument: string, repetition: Repetition = {}) => {
    if (expression === undefined) return undefined;
    const site = { address: block.target, construct: undefined };
    const { value, diagnostics } = run.evaluation.evaluate(expression, site, [argument], repetition);
    found.push(...diagnostics);
    return value;
  };
  const repetition = block.forEach === undefined ? {} : { each: { key: each, value: each } };
  const forEach = evaluate(block.forEach, "for_each");
  evaluate(block.key, "to", repetition);
  const id = evaluate(block.id, "id", repetition);
  const problems = [
    keyProblem(block, declaration),
    forEach && isKnown(forEach) && problemOf(readRepetitions(forEach)),
    id && isKnown(id) && problemOf(readId(id)),
  ].filter((problem) => typeof problem === "string");
  found.push(...problems.map((why) => invalidImport(block, why)));
  const identity = evaluate(block.identity, "identity", repetition);
  const { identity: schema } = run.schema(declaration) as ResourceSchema;
  if (block.identity !== undefined && schema === undefined)
    return [...found, invalidImport(block, noIdentity(declaration.type))];
  if (identity === undefined || schema === undefined || !isKnown(identity)) return found;
  const read = readIdentity(identity, schema);
  return "identity" in read ? found : [...found, ...read.problems.map((why) => invalidImport(block, why))];
}

const problemOf = (read: object): string | undefined =>
  "problem" in read ? String(read.problem) : undefined;
