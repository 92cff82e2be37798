// Acts as people who follow the advice of diagnostics.
import type { Diagnostic, DiagnosticAction } from "../../../src/engine";
import type { Run } from "../story/story";
import { addressOf, type DeclaredStack, declarationsOf } from "./app";
import { edited } from "./edit";
import { identityOf } from "./objects";
import type { World } from "./world";

/**
 * Follows the first diagnostic with usable advice: runs its command or edits the app.
 * @returns false if no diagnostic has usable advice
 */
export async function follow(world: World, diagnostics: readonly Diagnostic[]): Promise<boolean> {
  for (const { action, address } of diagnostics) {
    const did = action !== undefined && (await followOne(world, action, address));
    if (did) return true;
  }
  return false;
}

async function followOne(
  world: World,
  action: DiagnosticAction,
  address: string | undefined,
): Promise<boolean> {
  const nameAt = (given: string): string => given.split(".").at(-1)!;
  const run = async (one: Run): Promise<true> => {
    await world.runAll([{ run: one, after: 0 }]);
    return true;
  };
  if (action.kind === "move" && action.stacks !== undefined) {
    const addresses = [action.from, action.to] as const;
    return run({ do: "move", name: nameAt(action.from), ...action.stacks, addresses });
  }
  if (action.kind === "unlock") return run({ do: "unlock" });
  if (action.kind === "moveAll") return run({ do: "move declared", ...action.stacks });
  if (action.kind === "stateRm" && action.stack !== undefined) {
    const forgotten = action.address ?? address ?? "";
    world.made.delete(world.states.held().get(action.stack)?.get(forgotten) ?? "");
    return run({ do: "forget", address: forgotten, stack: action.stack });
  }
  if (action.kind === "removed") {
    const leaving = leavingOf(world, action.type, address);
    if (leaving === undefined) return false;
    for (const identity of world.made)
      if (/^(group_)?entry /.test(identity) && isAtSamePlace(identity, leaving.identity))
        world.made.delete(identity);
    world.edit(edited(world.app, { edit: "release", name: leaving.address }));
    return true;
  }
  if (action.kind === "import") {
    const name = nameAt(action.address ?? address ?? "");
    if (world.story.host !== "terraform") return run({ do: "import", name, id: action.id });
    world.edit(edited(world.app, { edit: "import", name, id: action.id }));
    return true;
  }
  return false;
}

/**
 * Returns the identity of the object that is declared at an address. If no object is declared there, returns the
 * identity that a state has at this address.
 */
export function identityAt({ app, states }: World, address: string | undefined): string {
  const declared = declarationsOf(app).find((one) => addressOf(one) === address);
  if (declared !== undefined) return identityOf(declared);
  return [...states.held().values()].flatMap((held) => held.get(address ?? "") ?? [])[0] ?? "";
}

/**
 * Returns the object of a type that is in the state without a declaration, next to the object at `declared`. The
 * address of this object is its address after all `moved` blocks.
 */
function leavingOf(world: World, type: string, declared: string | undefined) {
  const there = identityAt(world, declared);
  const [stack] = world.app.stacks;
  const addresses = new Set(declarationsOf(world.app).map(addressOf));
  return [...(world.states.held().get(stack!.name) ?? [])]
    .filter(([address, identity]) => address.startsWith(`${type}.`) && isAtSamePlace(identity, there))
    .map(([address, identity]) => ({ address: movedTo(stack!.moved, address), identity }))
    .find(({ address }) => !addresses.has(address));
}

/** Returns the address to which `moved` blocks lead from `from`. */
const movedTo = (moved: DeclaredStack["moved"], from: string): string =>
  moved.reduce((at, [before, next]) => (before === at ? next : at), from);

const isAtSamePlace = (one: string, other: string): boolean => one.split(" ")[1] === other.split(" ")[1];
