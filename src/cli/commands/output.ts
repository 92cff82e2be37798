import { fail } from "../../diagnostics";
import { type OutputState, requireSingle, type State } from "../../engine";
import { JsonNumber } from "../../json";
import type { OutputArguments } from "../arguments/output";
import { type NamedOutputs, readNamedStates } from "../stacks/read-states";
import type { Terminal } from "../terminal/terminal";
import { writeOutput, writeOutputs, writeOutputsJson } from "../views/outputs";

/** Shows all outputs in the state, or one of them. */
export async function output(args: OutputArguments, terminal: Terminal): Promise<number> {
  const all = await readOutputs(args, terminal);
  if (args.name !== undefined || args.raw) {
    const { value } = findOutput(args.name, requireSingle(all, "one output").outputs);
    writeOutput(args.raw ? rawText(args.name, value) : value, terminal, args);
  } else if (args.json) writeOutputsJson(requireSingle(all, "output --json").outputs, terminal);
  else writeOutputs(all, terminal, args);
  return 0;
}

async function readOutputs(args: OutputArguments, terminal: Terminal): Promise<NamedOutputs[]> {
  const states = await readNamedStates(args, terminal);
  return states.map(({ stack, state }) => ({ stack, outputs: state?.outputs ?? {} }));
}

function findOutput(name: string | undefined, outputs: State["outputs"]): OutputState {
  const names = Object.keys(outputs).sort();
  if (name === undefined) {
    return fail({
      code: "invalid_arguments",
      summary: "Missing argument",
      detail: `--raw writes one output: give its name. The state has: ${names.join(", ") || "none"}.`,
    });
  }
  const found = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  return (
    found ??
    fail({
      code: "output_not_found",
      summary: "Output not found",
      detail: `The state has no output "${name}". It has: ${names.join(", ") || "none; an apply writes outputs"}.`,
    })
  );
}

function rawText(name: string | undefined, value: OutputState["value"]): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || value instanceof JsonNumber)
    return String(value);
  return fail({
    code: "output_not_raw",
    summary: "Output has no raw form",
    detail: `The output "${name}" is ${value === null ? "null" : "a collection"}; --raw writes a text, a number or a boolean. Use --json.`,
  });
}
