import { emptyState, type ResourceState } from "../../engine/state/model";
import { createProvider } from "../../provider";
import type { Schema } from "../../provider/schema";
import type { ShowArguments } from "../arguments/show";
import { onlyOne, readStates } from "../stack/read-states";
import type { Terminal } from "../terminal";
import { writeStateJson, writeStates } from "../views/state";

/** Shows states, for people or in Terraform's JSON shape. */
export async function show(args: ShowArguments, terminal: Terminal): Promise<number> {
  const states = await readStates(args, terminal);
  const { resources, dataSources } = createProvider().schema;
  const schemaOf = ({ mode, type }: ResourceState): Schema | undefined =>
    (mode === "managed" ? resources : dataSources)[type];
  if (args.json) writeStateJson(onlyOne(states, "show --json").state ?? emptyState(), schemaOf, terminal);
  else writeStates(states, schemaOf, terminal, args);
  return 0;
}
