import {
  addressesOf,
  emptyState,
  formatState,
  type NamedState,
  notInState,
  readAddress,
  requireSingle,
  selectInstances,
} from "../../engine";
import { compareNatural, oneLine } from "../../text";
import type { SourceArguments, StateArguments } from "../arguments/shared-options";
import type { ListArguments } from "../arguments/states";
import { readNamedStates } from "../stack-runs/load-stacks";
import type { Terminal } from "../terminal/terminal";
import { writeByStack } from "../views/summary";

/** Lists the addresses in states. */
export async function listState(args: ListArguments, terminal: Terminal): Promise<number> {
  const states = await readNamedStates(args, terminal);
  const lists = states.map((named) => ({ ...named, addresses: addressesIn(named, args) }));
  const missing = args.addresses.find((_, at) => lists.every(({ addresses }) => addresses[at]!.length === 0));
  if (missing !== undefined && args.id === undefined)
    notInState(
      missing,
      states.flatMap(({ state }) => state ?? []),
    );
  const flat = lists.map((one) => ({
    ...one,
    addresses: [...new Set(one.addresses.flat())].sort(byAddress),
  }));
  if (args.json) terminal.out.line(JSON.stringify(requireSingle(flat, "state list --json").addresses));
  else writeByStack(flat, terminal, args, ({ addresses }) => addresses.map(oneLine));
  return 0;
}

/** Compares two addresses. Data sources come first, as in Terraform, and numbers in addresses are compared by value. */
const byAddress = (one: string, other: string): number =>
  Number(other.startsWith("data.")) - Number(one.startsWith("data.")) || compareNatural(one, other);

/**
 * Returns one list for each requested address, with the matching addresses in the state. With `id`, each list contains only
 * addresses of objects with this id. Without requested addresses, returns a single list with all addresses.
 */
function addressesIn({ state = emptyState() }: NamedState, { addresses, id }: ListArguments): string[][] {
  const wanted = addresses.length === 0 ? [undefined] : addresses.map(readAddress);
  return wanted.map((address) =>
    addressesOf(
      selectInstances(state, address).filter(
        ({ instance }) => id === undefined || instance.attributes["id"] === id,
      ),
    ),
  );
}

/** Writes a state in its stored format. */
export async function pullState(args: SourceArguments & StateArguments, terminal: Terminal): Promise<number> {
  const { state } = requireSingle(await readNamedStates(args, terminal), "state pull");
  if (state !== undefined) terminal.out.lines(formatState(state).trimEnd().split("\n"));
  return 0;
}
