import { emptyState, requireSingle } from "../../engine";
import type { ShowArguments } from "../arguments/show";
import { holdsPlan } from "../stacks/plan-file";
import { readNamedStates } from "../stacks/read-states";
import { schemaOf } from "../stacks/schema-of";
import type { Terminal } from "../terminal/terminal";
import { writeStateJson, writeStates } from "../views/state";
import { showPlan } from "./show-plan";

/** Shows states or a saved plan, for people or in Terraform's JSON format. */
export async function show(args: ShowArguments, terminal: Terminal): Promise<number> {
  const { file } = args;
  if (file !== undefined && (await holdsPlan(file, terminal))) return showPlan(file, args, terminal);
  const states = await readNamedStates(args, terminal);
  if (args.json)
    writeStateJson(requireSingle(states, "show --json").state ?? emptyState(), schemaOf(), terminal);
  else writeStates(states, schemaOf(), terminal, args);
  return 0;
}
