// Rules for every request that changes an object.
import { type App, addressOf, contestedIn, declarationsOf } from "../world/app";
import { announcedIn } from "../world/journals";
import { entriesOf, identityOf } from "../world/objects";
import { about, type Finding, type RunRecord, type Written } from "../world/records";
import type { World } from "../world/world";
import { listOf } from "./shown";

/**
 * Returns the identities of all objects that an app declares. For a whole list, it also returns the identities of the
 * entries.
 */
export function declaredIdentities({ stacks }: Pick<App, "stacks">): Set<string> {
  const found = new Set<string>();
  for (const declaration of declarationsOf({ stacks })) {
    found.add(identityOf(declaration));
    if (declaration.kind !== "list") continue;
    const { projects, groups } = entriesOf(declaration);
    for (const name of projects) found.add(`entry ${declaration.at} ${name}`);
    for (const name of groups) found.add(`group_entry ${declaration.at} ${name}`);
  }
  return found;
}

/** Returns the stacks whose declared objects the run must destroy. */
const destroyed = ({ run, app }: RunRecord): Pick<App, "stacks"> =>
  run.do === "destroy"
    ? { stacks: app.stacks.filter(({ name }) => run.stacks?.includes(name) ?? true) }
    : { stacks: [] };

/** A run never removes a declared object. */
export function declaredIsNeverRemoved(_: World, record: RunRecord, written: readonly Written[]): Finding {
  const others = { stacks: record.app.stacks.filter((stack) => !destroyed(record).stacks.includes(stack)) };
  const staying = declaredIdentities(others);
  // A run that replaces a list removes its entries and adds them again.
  for (const stack of record.app.stacks)
    for (const one of stack.declarations.filter(({ name }) => record.run.replaces?.includes(name)))
      for (const identity of declaredIdentities({ stacks: [{ ...stack, declarations: [one] }] }))
        staying.delete(identity);
  const lost = written.find(({ identity, after }) => after === undefined && staying.has(identity));
  return (
    lost &&
    about(
      lost.identity,
      `${lost.exchange.method} ${lost.exchange.target} removed ${lost.identity}, which is declared`,
    )
  );
}

/**
 * A run does not write an object that has two declarations. Steward refuses the run. The exception is an entry in a
 * state that no declaration lists: the run removes the entry from the list.
 */
export function contestedIsNotWritten(_: World, record: RunRecord, written: readonly Written[]): Finding {
  const { app, run, heldBefore } = record;
  if (run.do === "destroy") return undefined;
  const contested = contestedIn(app);
  const declared = declaredIdentities(app);
  const held = new Set([...heldBefore.values()].flatMap((one) => [...one.values()]));
  const entries = written.filter(({ identity }) => listOf(identity) !== undefined);
  const isDropped = ({ identity, after }: Written) =>
    after === undefined && held.has(identity) && !declared.has(identity);
  const isRelease = entries.length > 0 && entries.every(isDropped);
  const found = written.find(
    ({ identity }) => contested.has(identity) && !(identity.startsWith("list ") && isRelease),
  );
  return (
    found &&
    about(
      found.identity,
      `${found.exchange.method} ${found.exchange.target} changed ${found.identity}, which is declared twice`,
    )
  );
}

/** A run does not delete an object with `prevent_destroy`. */
export function protectedStays(_: World, record: RunRecord, written: readonly Written[]): Finding {
  for (const { identity, after, exchange } of written) {
    if (after !== undefined || exchange.method !== "DELETE") continue;
    for (const [stack, held] of record.heldBefore) {
      const declarations = record.app.stacks.find(({ name }) => name === stack)?.declarations ?? [];
      const guard = declarations.find(
        (one) => one.preventDestroy === true && held.get(addressOf(one)) === identity,
      );
      if (guard !== undefined)
        return about(
          identity,
          `${exchange.target} was destroyed, and ${addressOf(guard)} of ${stack} held ${identity} with prevent_destroy`,
        );
    }
  }
  return undefined;
}

/** Only operations that apply changes send writes. */
export function onlyAppliesWrite(_: World, { run }: RunRecord, written: readonly Written[]): Finding {
  const reads = ["plan", "drift", "save", "import", "move", "move declared"];
  if (!reads.includes(run.do)) return undefined;
  return `${run.do} sent ${written[0]!.exchange.method} ${written[0]!.exchange.target}`;
}

/** A process that writes holds the lock of a state. */
export function lockExcludes(world: World, { process }: RunRecord): Finding {
  if (world.story.host === "terraform" || !process.isAlive) return undefined;
  const holders = world.states.lockHolders();
  if (holders.includes(process.pid)) return undefined;
  return `process ${process.pid} changes the service; the locks are held by ${holders.join(", ") || "nobody"}`;
}

/**
 * A journal announces each change before its request is sent. The next run then knows of the change, even if the
 * response was lost.
 */
export function writesAreAnnounced(world: World, record: RunRecord, written: readonly Written[]): Finding {
  if (world.story.host === "terraform") return undefined;
  const announced = new Set(world.states.journals().flatMap((text) => [...announcedIn(text, record.app)]));
  const hidden = written.find(
    ({ identity }) =>
      !identity.startsWith("list ") &&
      !announced.has(identity) &&
      !announced.has(listOf(identity) ?? identity),
  );
  return (
    hidden &&
    about(
      hidden.identity,
      `${hidden.exchange.method} ${hidden.exchange.target} changed ${hidden.identity}, which no journal announces`,
    )
  );
}
