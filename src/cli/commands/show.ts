import { stateView } from "../../engine/state/json-view";
import { emptyState, type ResourceState } from "../../engine/state/model";
import { createProvider } from "../../provider";
import type { Schema } from "../../provider/schema";
import type { ShowArguments } from "../arguments/show";
import { onlyOne, readStates } from "../stack/read-states";
import type { Terminal } from "../terminal";
import { renderStackHeading, renderState } from "../views/state";
import { styleFor } from "../views/style";

/** Shows states, for people or in Terraform's JSON shape. */
export async function show(args: ShowArguments, terminal: Terminal): Promise<number> {
  const states = await readStates(args, terminal);
  const { schema } = createProvider();
  const schemaOf = ({ mode, type }: ResourceState): Schema | undefined =>
    (mode === "managed" ? schema.resources : schema.dataSources)[type];
  if (args.json) {
    const { state = emptyState() } = onlyOne(states, "show --json");
    const sensitive = (resource: ResourceState) =>
      Object.entries(schemaOf(resource)?.attributes ?? {})
        .filter(([, attribute]) => attribute.text.sensitive)
        .map(([name]) => [{ attribute: name }]);
    terminal.out.write(`${JSON.stringify(stateView(state, { sensitive }))}\n`);
    return 0;
  }
  const style = styleFor(terminal.out, terminal, args.color);
  for (const { stack, state } of states) {
    if (states.length > 1) terminal.out.write(renderStackHeading(stack, style));
    terminal.out.write(renderState(state ?? emptyState(), schemaOf));
  }
  return 0;
}
