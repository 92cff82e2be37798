import { fail } from "../../diagnostics";
import { type PlanFile, planJson, readRecord } from "../../engine";
import { stringifyJson } from "../../json";
import type { ShowArguments } from "../arguments/show";
import { readPlanFile } from "../stacks/plan-file";
import { ownProviders } from "../stacks/providers";
import { withRecordedContainers } from "../stacks/recorded-containers";
import { schemaOf } from "../stacks/schema-of";
import type { Terminal } from "../terminal/terminal";
import { createRunView } from "../views/create-run-view";

type StackPlan = PlanFile["stacks"][number];

/** Shows a saved plan as `steward plan` did, or in Terraform's JSON format. */
export async function showPlan(file: string, args: ShowArguments, terminal: Terminal): Promise<number> {
  const { stacks } = await readPlanFile(file, terminal);
  const chosen = choose(stacks, args.stacks);
  const providers = ownProviders(terminal);
  const recordOf = ({ plan }: StackPlan) => readRecord(plan.record, providers);
  if (args.json) {
    terminal.out.line(stringifyJson(planJson(recordOf(onlyPlan(chosen)), schemaOf())));
    return 0;
  }
  const view = createRunView(args, terminal, { merges: true });
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
      detail: `The saved plan has no stack "${unknown}". It has: ${namesOf(stacks)}.`,
    });
  }
  return stacks.filter(({ name }) => names.length === 0 || names.includes(name ?? ""));
}

function onlyPlan(stacks: readonly StackPlan[]): StackPlan {
  const [first, second] = stacks;
  if (first !== undefined && second === undefined) return first;
  return fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `The saved plan covers several stacks (${namesOf(stacks)}), but show --json takes one. Choose one with --stack NAME.`,
  });
}

const namesOf = (stacks: readonly StackPlan[]): string =>
  stacks.map(({ name }) => name ?? "one without a name").join(", ");
