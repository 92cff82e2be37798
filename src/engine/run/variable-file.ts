import { fail } from "../../diagnostics";
import { ExpressionError, evaluate, parseExpression, toJson } from "../../language";

const BEFORE = "{\n";

/**
 * The values that a file of variables in HCL gives, as JSON: lines such as `region = "eu"`, whose values are constants.
 *
 * @throws DiagnosticError `variable_file_invalid`
 */
export function readVariableFile(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    // The body of such a file is that of an object, without its braces.
    const values = evaluate(parseExpression(`${BEFORE}${text}\n}`), { resolve: () => undefined });
    return toJson(values) as Record<string, unknown>;
  } catch (problem) {
    if (!(problem instanceof ExpressionError)) throw problem;
    const line = text.slice(0, Math.max(0, problem.range.start - BEFORE.length)).split("\n").length;
    return fail({
      code: "variable_file_invalid",
      summary: "Invalid variables file",
      detail: `${file}, line ${line}: ${problem.detail} A variables file holds constants, such as \`region = "eu"\`.`,
    });
  }
}
