// Declarations of an app that no run can apply.
import { addressOf, contestedIn, type Declaration, type DeclaredStack, declarationsOf } from "./app";
import { taintedIn } from "./held";
import { identityOf } from "./objects";
import type { Held } from "./records";
import type { World } from "./world";

/** Whether the app itself can't be applied. */
export function hasContradiction(world: World): boolean {
  const held = world.states.held();
  const guarded = world.app.stacks.some(({ name, declarations, moved }) =>
    declarations.some((one) => {
      if (one.preventDestroy !== true) return false;
      const addresses = [addressOf(one), ...movedFrom(moved, addressOf(one))];
      return addresses.some(
        (address) => (held.get(name)?.get(address) ?? identityOf(one)) !== identityOf(one),
      );
    }),
  );
  return contestedIn(world.app).size > 0 || guarded || isStuckUnderTerraform(world, held);
}

/**
 * Terraform does not find objects with another address: without a block it refuses them. It replaces an object after
 * a failed create, despite `prevent_destroy`; a setting leaves nothing.
 */
function isStuckUnderTerraform({ story, states, app }: World, held: ReadonlyMap<string, Held>): boolean {
  if (story.host !== "terraform") return false;
  const tainted = taintedIn(states.textOf(story.stacks[0]!));
  const isStuck = (one: Declaration) =>
    one.preventDestroy === true &&
    tainted.has(addressOf(one)) &&
    one.kind !== "scope" &&
    one.kind !== "pages";
  if (declarationsOf(app).some(isStuck)) return true;
  const addresses = new Map([...held.values()].flatMap((one) => [...one].map(([at, what]) => [what, at])));
  return declarationsOf(app).some((one) => {
    const at = addresses.get(identityOf(one));
    return at !== undefined && at !== addressOf(one);
  });
}

/** The addresses from which `moved` blocks lead to another one. */
function movedFrom(moved: DeclaredStack["moved"], to: string): string[] {
  return moved.flatMap(([from, next]) => (next === to ? [from, ...movedFrom(moved, from)] : []));
}
