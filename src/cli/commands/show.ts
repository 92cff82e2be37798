import { type Diagnostic, didYouMean, error, fail, hasErrors } from "../../diagnostics";
import {
  emptyState,
  type OutputState,
  type PlanFile,
  planJson,
  readRecord,
  requireSingle,
  runStacks,
  type State,
  selectFromState,
  stateHolding,
} from "../../engine";
import { JsonNumber, stringifyJson } from "../../json";
import { allOf } from "../../text";
import { concealedAddresses } from "../approval/addresses-in-plans";
import type { CommandFunction } from "../arguments/command-line";
import { invalid } from "../arguments/option";
import type { explainLine, outputLine, ShowArguments, showStateLine } from "../arguments/states";
import { withRecordedContainers } from "../objects/recorded-containers";
import { loadNamedStacks, readNamedStates } from "../stack-runs/load-stacks";
import { isSavedPlan, readPlanFile } from "../stack-runs/plan-file";
import { ownProviders, schemaOf } from "../stack-runs/providers";
import type { Terminal } from "../terminal/terminal";
import { createRunView } from "../views/create-run-view";
import { diagnosticsOf } from "../views/diagnostics";
import type { ExplainedStack } from "../views/explained";
import { writeOutput, writeOutputs, writeOutputsJson } from "../views/run-results";
import { renderState, writeStateJson } from "../views/state";
import { writeByStack } from "../views/summary";

type StackPlan = PlanFile["stacks"][number];

/** Shows a saved plan as `steward plan` did, or in Terraform's JSON format. */
async function showPlan(file: string, args: ShowArguments, terminal: Terminal): Promise<number> {
  const { stacks } = await readPlanFile(file, terminal, concealedAddresses(file, terminal));
  const chosen = choose(stacks, args.stacks);
  const providers = ownProviders(terminal);
  const recordOf = ({ plan }: StackPlan) => readRecord(plan.record, providers);
  if (args.json) {
    terminal.out.line(stringifyJson(planJson(recordOf(onlyPlan(chosen)), schemaOf())));
    return 0;
  }
  const view = createRunView(args, terminal, { isMerged: true });
  for (const one of chosen) {
    view.stack(one.name, chosen.length);
    view.plan(withRecordedContainers(recordOf(one)));
  }
  await view.end();
  return 0;
}

function choose(stacks: readonly StackPlan[], names: readonly string[]): readonly StackPlan[] {
  const unknown = names.find((name) => !stacks.some((one) => one.name === name));
  if (unknown !== undefined) {
    fail({
      code: "unknown_stack",
      summary: "Unknown stack",
      detail: `The saved plan has no stack "${unknown}". It has ${namesOf(stacks)}.`,
    });
  }
  return stacks.filter(({ name }) => names.length === 0 || names.includes(name ?? ""));
}

function onlyPlan(stacks: readonly StackPlan[]): StackPlan {
  const [first, second] = stacks;
  if (first !== undefined && second === undefined) return first;
  return invalid(
    "Several stacks",
    `The saved plan covers several stacks (${namesOf(stacks)}), but show --json prints one. Choose one with --stack NAME.`,
  );
}

const namesOf = (stacks: readonly StackPlan[]): string =>
  stacks.map(({ name }) => name ?? "one without a name").join(", ");

/** Shows states or a saved plan, for people or in Terraform's JSON format. */
export async function show(args: ShowArguments, terminal: Terminal): Promise<number> {
  const { file } = args;
  if (file !== undefined && (await isSavedPlan(file, terminal))) return showPlan(file, args, terminal);
  const states = await readNamedStates(args, terminal);
  if (args.json)
    writeStateJson(requireSingle(states, "show --json").state ?? emptyState(), schemaOf(), terminal);
  else {
    const known = schemaOf();
    writeByStack(states, terminal, args, ({ state }) => renderState(state ?? emptyState(), known));
  }
  return 0;
}

/** Shows all outputs in the state, or one of them. */
export const output: CommandFunction<typeof outputLine> = async (args, terminal) => {
  const states = await readNamedStates(args, terminal);
  const outputsFor = (what: string) => requireSingle(states, what).state?.outputs ?? {};
  if (args.name !== undefined || args.raw) {
    const { value } = findOutput(args.name, outputsFor("one output"));
    writeOutput(args.raw ? rawText(args.name, value) : value, terminal, args);
  } else if (args.json) writeOutputsJson(outputsFor("output --json"), terminal);
  else writeOutputs(states, terminal, args);
  return 0;
};

function findOutput(name: string | undefined, outputs: State["outputs"]): OutputState {
  const names = Object.keys(outputs).sort();
  if (name === undefined) {
    return invalid(
      "Missing argument",
      `--raw prints one output, so it needs a name. The state has ${names.join(", ") || "no outputs"}.`,
    );
  }
  const found = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  return (
    found ??
    fail({
      code: "output_not_found",
      summary: "Output not found",
      detail:
        names.length === 0
          ? `The state has no outputs yet, so it does not contain "${name}". Run \`steward apply\`, which writes the outputs.`
          : `The state has no output "${name}". ${didYouMean(name, names, `The outputs of the state are ${allOf(names)}.`)}`,
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
    detail: `The output "${name}" is ${value === null ? "null" : "a collection"}, and --raw prints only texts, numbers and booleans. Use --json.`,
  });
}

/** Shows the object at an address of a state. */
export const showState: CommandFunction<typeof showStateLine> = async (args, terminal) => {
  const { state = emptyState() } = stateHolding(await readNamedStates(args, terminal), [args.address]);
  const picked = selectFromState(state, [args.address]);
  if (args.json) writeStateJson(picked, schemaOf(), terminal);
  else terminal.out.lines(renderState(picked, schemaOf()));
  return 0;
};

/** Shows what a plan decides about the objects of a project, and the origin of each setting. */
export const explain: CommandFunction<typeof explainLine> = async (args, terminal) => {
  const found: ExplainedStack[] = [];
  const diagnostics: Diagnostic[] = [];
  const { folder, env } = terminal;
  const { importExisting, allowLeaving } = args;
  const loaded = await loadNamedStacks(args, terminal);
  const providers = ownProviders(terminal, args.maxRequestsPerMinute);
  await runStacks(
    loaded,
    { ...args, folder, env, providers, onEvent: () => undefined },
    {
      locksFor: undefined,
      // A plan compares the stacks, so explain compares them too and shows the same decisions.
      compares: true,
      work: async (stack) => {
        await stack.read();
        const plan = await stack.plan({ importExisting, allowLeaving });
        diagnostics.push(...plan.diagnostics);
        const { objects, settings } = stack.explain(plan, args.project);
        if (objects.length + settings.length > 0) found.push({ stack: stack.name, objects, settings });
        return "nothing";
      },
      onFailure: async (problem) => void diagnostics.push(...diagnosticsOf(problem, terminal)),
    },
  );
  if (found.length === 0 && !hasErrors(diagnostics))
    diagnostics.push(
      error({
        code: "project_not_declared",
        summary: "Project is not declared",
        detail: `No stack declares or holds an object of ${args.project}, and no fleet lists it. Check the full path. For a fleet, check its group, topics and exceptions.`,
      }),
    );
  // The module is loaded on use: other commands of this file compare no objects.
  const { writeExplained }: typeof import("../views/explained") = require("../views/explained");
  writeExplained(args.project, found, diagnostics, terminal, args);
  return hasErrors(diagnostics) ? 1 : 0;
};
