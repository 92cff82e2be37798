// Rules for states, their journals and their locks at the end of a run.
import type { Plan } from "../../../src/engine";
import { identityOf } from "../world/objects";
import type { Finding, Held, RunRecord } from "../world/records";
import type { World } from "../world/world";

type Rule = (world: World, record: RunRecord) => Finding;

const isMove = ({ run }: RunRecord): boolean => run.do === "move" || run.do === "move declared";

/** A run that ended has released its locks and removed the files of its locks. */
export const locksAreReleased: Rule = (world, { outcome, run, process }) => {
  if (outcome === undefined || run.disk !== undefined || run.network !== undefined) return undefined;
  // A power failure restores files that a run removed just before the failure.
  if (world.story.keeping === "file" && process.boot < world.simulation.boot) return undefined;
  const own = `"pid":${process.pid}`;
  const file = world.disk.volume.files().find(
    ([name, content]) =>
      name.includes("lock") &&
      content
        .toString()
        .replaceAll(/[\\\s]/g, "")
        .includes(own),
  );
  if (file !== undefined) return `${run.do} ended, and left ${file[0]}`;
  return world.states.lockHolders().includes(process.pid) ? `${run.do} ended, and holds a lock` : undefined;
};

/**
 * After an apply of all stacks, no unfinished state files (`.new`) of dead runs are left, even if the power failed
 * meanwhile.
 */
export const leftoversAreRemoved: Rule = (world, { outcome, run, isDisturbed }) => {
  if (outcome?.succeeded !== true || run.do !== "apply" || run.stacks !== undefined) return undefined;
  if (isDisturbed || run.disk !== undefined) return undefined;
  const left = world.disk.volume.files().find(([name]) => /tfstate.*\.new$/.test(name));
  return left && `apply ended well, and ${left[0]} is still there`;
};

/** If a process died on this machine since the last boot, its lock does not block later runs. */
export const deadLocksAreTakenOver: Rule = (world, { outcome, isDisturbed }) => {
  if (outcome === undefined || isDisturbed || world.story.keeping !== "file" || world.simulation.boot > 1)
    return undefined;
  const refused = outcome.diagnostics.find(({ code }) => code === "state_locked");
  return refused && `nobody runs, and ${refused.code}: ${refused.detail}`;
};

/** A successful apply of all stacks leaves no journal, because the states contain all changes. */
export const whatEndedWellIsSaved: Rule = (world, { outcome, run, isDisturbed }) => {
  if (outcome?.succeeded !== true || run.do !== "apply" || run.stacks !== undefined || isDisturbed)
    return undefined;
  return world.states.hasJournal() ? "apply ended well, and left a journal" : undefined;
};

/** A move between stacks loses no object: all states taken together hold the same objects before and after the move. */
export const movesLoseNothing: Rule = (_, record) => {
  const { outcome, heldBefore, heldAfter, isDisturbed, run } = record;
  if (!isMove(record) || outcome === undefined || isDisturbed) return undefined;
  const [before, after] = [allOf(heldBefore), allOf(heldAfter)];
  return before === after
    ? undefined
    : `${run.do}: the states held ${before || "nothing"}, and hold ${after || "nothing"}`;
};

/**
 * If two states hold one object after a move, a journal says that the object moves. Steward plans neither stack until
 * the move is finished.
 */
export const movesAreRecorded: Rule = (world, { run, heldBefore, heldAfter, isDisturbed }) => {
  if ((run.do !== "move" && run.do !== "move declared") || isDisturbed) return undefined;
  const arrived = [...(heldAfter.get(run.to)?.values() ?? [])];
  const twice = arrived.find(
    (identity) => holds(heldAfter.get(run.from), identity) && !holds(heldBefore.get(run.to), identity),
  );
  if (twice === undefined || world.states.journals().some((text) => /\\?"move\\?":/.test(text)))
    return undefined;
  return { what: `${run.from} and ${run.to} hold ${twice}, and no journal says why`, identity: twice };
};

const allOf = (states: ReadonlyMap<string, Held>): string =>
  [...new Set([...states.values()].flatMap((held) => [...held.values()]))].sort().join(", ");

/**
 * A move of all declarations of a stack leaves none of the declared objects in the old state. The move also displaces
 * no object of the new state. An object arrives at a different address if its declared address is taken, or if an
 * interrupted move recorded a different address. The next plan of the new stack then moves these objects to their
 * declared addresses.
 */
export const movesOfAllAreWhole: Rule = (_, { outcome, run, app, heldBefore, heldAfter, isDisturbed }) => {
  if (outcome?.succeeded !== true || run.do !== "move declared" || isDisturbed || run.network !== undefined)
    return undefined;
  const [source, target] = [heldBefore.get(run.from), heldBefore.get(run.to)];
  const [left, arrived] = [heldAfter.get(run.from), heldAfter.get(run.to)];
  const declared = app.stacks.find(({ name }) => name === run.to)?.declarations ?? [];
  for (const identity of declared.map(identityOf))
    if (holds(source, identity) && !holds(arrived, identity))
      return { what: `${identity} stays in ${run.from}, and ${run.to} declares it`, identity };
  for (const [address, identity] of target ?? [])
    if (arrived?.get(address) !== identity && !holds(left, identity))
      return { what: `${address} of ${run.to} held ${identity}, and holds something else`, identity };
  return undefined;
};

const holds = (held: Held | undefined, identity: string): boolean =>
  [...(held?.values() ?? [])].includes(identity);

/** A saved plan is applied as it was shown: with the same changes, of the same objects, with the same values before. */
export const savedPlansAreCurrent: Rule = (world, record) => {
  const { outcome, run } = record;
  if (run.do !== "apply saved" || outcome?.succeeded !== true) return undefined;
  for (const { stack, plan } of outcome.plans) {
    const saved = world.runs
      .slice(0, world.runs.indexOf(record))
      .findLast((one) => one.run.do === "save" && one.outcome?.plans.some((shown) => shown.stack === stack));
    const shown = saved?.outcome?.plans.find((one) => one.stack === stack)?.plan;
    if (shown !== undefined && textOfChanges(shown) !== textOfChanges(plan))
      return `the plan of ${stack} was saved as ${textOfChanges(shown)}, and applied as ${textOfChanges(plan)}`;
  }
  return undefined;
};

const textOfChanges = ({ changes }: Plan): string =>
  JSON.stringify(
    changes
      .filter(({ action }) => action !== "no-op")
      .map(({ address, action, before, after }) => [address, action, before, after])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
