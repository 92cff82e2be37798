import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ExpressionError, evaluate, parseJsonExpression, type Scope } from "../../../src/language/syntax";
import { DYNAMIC, nullOf, object, refine, STRING, UNKNOWN, unknown } from "../../../src/language/values";
import { formatAsConsole } from "./console-format";
import type { Outcome } from "./terraform-console";

const FOLDER = path.join(__dirname, "console-cases");

/** A value, as it is written in a JSON configuration. Most values are strings. */
export type Source = unknown;

export interface CaseGroup {
  readonly name: string;
  readonly sources: readonly Source[];
}

/** Returns the key of a case in the table. */
export const keyOf = (source: Source): string =>
  typeof source === "string" ? source : JSON.stringify(source);

/**
 * Reads the files of `console-cases/`. Each line is an expression, or after "json " a whole value of a JSON
 * configuration.
 */
export function readCases(): CaseGroup[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => ({
      name: path.basename(file, ".txt"),
      sources: readFileSync(path.join(FOLDER, file), "utf8").trimEnd().split("\n").map(toSource),
    }));
}

const toSource = (line: string): Source =>
  line.startsWith("json ") ? JSON.parse(line.slice("json ".length)) : `\${${line}}`;

const unknownId = refine(unknown(STRING), { isNotNull: true });

const INSTANCES = object({
  unknown: object({
    id: unknownId,
    input: unknown(STRING),
    output: unknown(STRING),
    triggers_replace: nullOf(DYNAMIC),
  }),
  open: object({ id: unknownId, input: UNKNOWN, output: UNKNOWN, triggers_replace: nullOf(DYNAMIC) }),
});

/** The scope with the names that the console's configuration declares. */
const consoleScope: Scope = {
  resolve: ({ root }) => (root === "terraform_data" ? { value: INSTANCES, consumed: 0 } : undefined),
};

/** Returns the result of a case, in the form in which the console prints it within an object. */
export function ownOutcome(source: Source): Outcome {
  try {
    return formatAsConsole(evaluate(parseJsonExpression(source), consoleScope), 2);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
