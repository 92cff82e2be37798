import type { State, Value } from "../../engine";
import { stringifyJson } from "../../json";
import type { ViewArguments } from "../arguments/command-line";
import { fieldName } from "../printing/printable";
import { styleFor } from "../printing/style";
import { type Block, between, renderValue } from "../printing/values";
import type { NamedOutputs } from "../stacks/read-states";
import type { Terminal } from "../terminal/terminal";
import { renderStackHeading } from "./stack-heading";

/** All outputs, one per line. Sensitive values are hidden. */
export const renderOutputs = (outputs: State["outputs"]): string[] =>
  sortedOutputs(outputs).flatMap(([name, { value, sensitive }]) =>
    between(`${fieldName(name)} = `, sensitive ? ["<sensitive>"] : renderOutput(value)),
  );

const renderOutput = (value: Value): Block => renderValue(value, { step: 2, margin: 0 });

const sortedOutputs = (outputs: State["outputs"]) =>
  Object.entries(outputs).sort(([one], [other]) => (one < other ? -1 : 1));

/** Writes the outputs of states for people. Several stacks are shown under their names. */
export function writeOutputs(
  all: readonly NamedOutputs[],
  terminal: Terminal,
  { color }: ViewArguments,
): void {
  const style = styleFor(terminal.out, terminal, color);
  for (const { stack, outputs } of all) {
    if (all.length > 1) terminal.out.lines(renderStackHeading(stack, style));
    const lines = renderOutputs(outputs);
    terminal.out.lines(lines.length > 0 ? lines : ["There are no outputs in the state."]);
  }
}

/** Writes all outputs in the format of `terraform output -json`, which includes sensitive values. */
export function writeOutputsJson(outputs: State["outputs"], { out }: Pick<Terminal, "out">): void {
  const shown = sortedOutputs(outputs).map(([name, { sensitive, type, value }]) => [
    name,
    { sensitive, type, value },
  ]);
  out.line(stringifyJson(Object.fromEntries(shown)));
}

/**
 * Writes the value of one output, even a sensitive one, since it was requested by name. The raw form is the
 * bare text.
 */
export function writeOutput(
  value: Value,
  { out }: Pick<Terminal, "out">,
  { json, raw }: { readonly json: boolean; readonly raw: boolean },
): void {
  if (raw) out.exact(String(value));
  else out.lines(json ? [stringifyJson(value)] : renderOutput(value));
}
