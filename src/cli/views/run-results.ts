import type { ImportResult, NamedState, PlanMode, State, Value } from "../../engine";
import { stringifyJson } from "../../json";
import { counted, oneLine, shellWord } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import { valueLines } from "../difference";
import type { Counts } from "../document/counts";
import type { Terminal } from "../terminal/terminal";
import { fieldName, type Style } from "../terminal/text";
import type { ToApprove } from "./run-view";
import { doneSentence, writeByStack } from "./summary";

/** Returns one line for each output. Hides sensitive values. */
export const renderOutputs = (outputs: State["outputs"]): string[] =>
  sortedOutputs(outputs).flatMap(([name, { value, sensitive }]) =>
    renderOutput(fieldName(name), sensitive ? ["<sensitive>"] : valueLines(value)),
  );

const renderOutput = (name: string, [first, ...rest]: readonly string[]): string[] => [
  `${name} = ${first}`,
  ...rest,
];

const sortedOutputs = (outputs: State["outputs"]) =>
  Object.entries(outputs).sort(([one], [other]) => (one < other ? -1 : 1));

/** Writes the outputs of states for people. */
export const writeOutputs = (states: readonly NamedState[], terminal: Terminal, args: ViewArguments): void =>
  writeByStack(states, terminal, args, ({ state }) => {
    const lines = renderOutputs(state?.outputs ?? {});
    return lines.length > 0 ? lines : ["There are no outputs in the state."];
  });

/** Writes all outputs in the format of `terraform output -json`, which includes sensitive values. */
export function writeOutputsJson(outputs: State["outputs"], { out }: Pick<Terminal, "out">): void {
  const shown = sortedOutputs(outputs).map(([name, { sensitive, type, value }]) => [
    name,
    { sensitive, type, value },
  ]);
  out.line(stringifyJson(Object.fromEntries(shown)));
}

/**
 * Writes the value of one output, even a sensitive one, because the user requested the output by name. The raw form is the
 * text without quotes.
 */
export function writeOutput(
  value: Value,
  { out }: Pick<Terminal, "out">,
  { json, raw }: { readonly json: boolean; readonly raw: boolean },
): void {
  if (raw) out.exact(String(value));
  else out.lines(json ? [stringifyJson(value)] : valueLines(value));
}

/**
 * Renders the result of an apply or a destroy, and the new outputs.
 *
 * @param hasFailed whether the plan or the apply of the stack has an error, or an object could not be checked
 */
export function renderApplied(
  mode: PlanMode,
  outputs: State["outputs"],
  counts: Counts,
  hasFailed: boolean,
  style: Style,
): string[] {
  const isDestroy = mode === "destroy";
  const sentence = doneSentence(isDestroy ? "destroy" : "apply", counts, hasFailed);
  const line = hasFailed ? style.red(sentence) : style.green(sentence);
  const shown = isDestroy ? [] : renderOutputs(outputs);
  return [style.bold(line), ...(shown.length === 0 ? [] : ["", "Outputs:", "", ...shown])];
}

/** Renders the result of an import. Returns no lines if Steward refused the import. */
export function renderImported(address: string, { id }: ImportResult, style: Style): string[] {
  if (id === undefined) return [];
  return [
    `${style.bold(style.green("Import successful!"))} ${oneLine(`${address} was imported with the id ${id}.`)}`,
    "`steward plan` shows how it differs from the configuration.",
  ];
}

/** Renders the name of the saved plan's file, and the command that applies the plan. */
export function renderSaved(file: string, { bold }: Style, options: readonly string[] = []): string[] {
  const command = ["steward", "apply", file, ...options].map(shellWord).join(" ");
  return [
    `Saved the plan to: ${oneLine(file)}`,
    "",
    "To perform exactly these actions, run the following command to apply:",
    `    ${bold(command)}`,
  ];
}

/**
 * Renders the name and the digest of the file with the changes to approve, and the command that applies these changes after
 * the approval.
 */
export function renderToApprove(written: ToApprove, { bold }: Style): string[] {
  const { file, digest, changes, planJson, isOfApply } = written;
  if (isOfApply === true)
    return [
      `Wrote ${counted(changes, "planned change")} to: ${oneLine(file)}`,
      `Digest of this plan: ${bold(digest)}`,
      "People approve the digest in the comment of a merge request, not this one.",
    ];
  const verb = planJson === undefined ? ["apply"] : ["report", "--plan-json", planJson];
  const command = ["steward", ...verb, "--approved", file, "--digest", digest].map(shellWord).join(" ");
  return [
    `Wrote ${counted(changes, "change")} to approve to: ${oneLine(file)}`,
    `Digest: ${bold(digest)}`,
    "",
    planJson === undefined
      ? "Once they are approved, the following command applies these changes and no others:"
      : "Once they are approved, the following command fails if a plan has other changes; run it before the apply:",
    `    ${bold(command)}`,
  ];
}
