import type { ResourceDeclaration } from "../config";
import { type EvaluatedBody, evaluateBody } from "../evaluate/body";
import type { Instance } from "./instances";
import type { StackRun } from "./stack-run";

/** What the configuration says of one instance of a declaration, evaluated against its schema. */
export const instanceConfig = (
  run: StackRun,
  declaration: ResourceDeclaration,
  { address, repetition }: Instance,
): EvaluatedBody =>
  evaluateBody(
    declaration.body,
    run.schema(declaration).attributes,
    run.evaluation,
    { address, construct: declaration.construct },
    repetition,
  );
