import { fail } from "../../diagnostics";
import { ExpressionError, evaluate, parseExpression, toJson } from "../../language";

const PREFIX = "{\n";

/**
 * Parses a variables file in HCL: lines such as `region = "eu"`, whose values are constants.
 *
 * @throws DiagnosticError `variable_file_invalid`
 */
export function readVariableFile(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    // The file is the body of an object without braces.
    const values = evaluate(parseExpression(`${PREFIX}${text}\n}`), { resolve: () => undefined });
    return toJson(values) as Record<string, unknown>;
  } catch (problem) {
    if (!(problem instanceof ExpressionError)) throw problem;
    const line = text.slice(0, Math.max(0, problem.range.start - PREFIX.length)).split("\n").length;
    return fail({
      code: "variable_file_invalid",
      summary: "Invalid variables file",
      detail: `${file}, line ${line}: ${problem.detail} A variables file holds constants, such as \`region = "eu"\`.`,
    });
  }
}
