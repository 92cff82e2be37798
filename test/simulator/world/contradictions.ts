// Finds declarations that no run can apply.
import { addressOf, contestedIn, type Declaration, type DeclaredStack, declarationsOf } from "./app";
import { taintedIn } from "./held";
import { identityOf } from "./objects";
import type { Held } from "./records";
import type { World } from "./world";

/** Returns true if no run can apply the app as it is declared. */
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
 * Returns true if Terraform cannot apply the app, although Steward could. Terraform refuses an object that the state
 * has at another address, unless a `moved` block names it. Terraform also replaces an object after a failed create, and
 * fails if the object has `prevent_destroy`. Settings are excluded: a failed create leaves no object of them in the
 * state.
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

/** Returns the addresses from which `moved` blocks lead to `to`. */
function movedFrom(moved: DeclaredStack["moved"], to: string): string[] {
  return moved.flatMap(([from, next]) => (next === to ? [from, ...movedFrom(moved, from)] : []));
}
