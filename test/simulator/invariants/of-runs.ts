// Rules for the end of a run.

import { causeOf } from "../../../src/diagnostics";
import { CODES } from "../../../src/diagnostics/codes";
import type { Outcome } from "../actors/stepwise";
import type { Exchange } from "../network/network";
import { contestedIn, declarationsOf } from "../world/app";
import { MAINTAINER_TOKEN, TOKEN } from "../world/company";
import { existsAnyway } from "../world/live";
import { expectedOf, identityOf } from "../world/objects";
import { about, type Finding, type RunRecord } from "../world/records";
import type { World } from "../world/world";
import { keepsEntries } from "./kept-entries";
import { declaredIdentities } from "./of-requests";
import { declarationAt, listOf } from "./shown";

type Rule = (world: World, record: RunRecord) => Finding;

/** Every run ends. */
export const everyRunEnds: Rule = (_, { isStuck, run }) => (isStuck ? `${run.do} does not end` : undefined);

/** No run fails with an exception or an internal error, and every error has a documented code. */
export const everyErrorHasACode: Rule = (_, { failure, outcome }) => {
  if (failure !== undefined)
    return `an exception: ${failure instanceof Error ? failure.stack : String(failure)}`;
  const odd = outcome?.diagnostics.find(({ code }) => !CODES.has(code) || code === "internal_error");
  return odd && `${odd.code}: ${odd.summary}: ${odd.detail}`;
};

/** Tokens appear in no output and in no file. */
export const secretsAppearNowhere: Rule = (world, { outcome }) => {
  for (const token of [TOKEN, MAINTAINER_TOKEN]) {
    if (outcome?.told.includes(token)) return "the token is told";
    const file = world.disk.volume.files().find(([, content]) => content.includes(token));
    if (file !== undefined) return `the token is in ${file[0]}`;
  }
  return undefined;
};

/** A run without faults never reports that the service's result differs from the declaration. */
export const resultsAreAsDeclared: Rule = ({ story }, { outcome, run, isDisturbed }) => {
  if (story.habits?.includes("dropped-entries")) return undefined;
  if (outcome === undefined || isDisturbed || run.network !== undefined || run.disk !== undefined)
    return undefined;
  const found = outcome.diagnostics.find(({ code }) => code === "inconsistent_result");
  return found && `${found.address}: ${found.detail}`;
};

/** If an apply succeeds or a plan is empty, every declared object is live with its declared values. */
export const allWellIsTrue: Rule = (_, record) => {
  const { outcome, isDisturbed, run, app, liveAfter } = record;
  if (outcome === undefined || !outcome.succeeded || isDisturbed) return undefined;
  if ("stacks" in run && run.stacks !== undefined) return undefined;
  const isDone =
    run.do === "apply" || (run.do === "plan" && outcome.plans.every(({ plan }) => !plan.hasChanges));
  if (!isDone || outcome.plans.length < app.stacks.length) return undefined;
  const contested = contestedIn(app);
  const isExcused = (identity: string): boolean => contested.has(identity) || keepsEntries(outcome, identity);
  const wrong = declarationsOf(app).find(
    (one) => !isExcused(identityOf(one)) && liveAfter.get(identityOf(one)) !== expectedOf(one),
  );
  return (
    wrong &&
    about(
      identityOf(wrong),
      `${run.do} says that all is as declared: ${identityOf(wrong)} is ${liveAfter.get(identityOf(wrong)) ?? "not there"}, declared ${expectedOf(wrong)}`,
    )
  );
};

/**
 * The paths with which a run reads managed objects. If another read fails, such as the read of the token, the run
 * continues.
 */
const OF_OBJECTS = /protected_environments|job_token_scope|protection\/repository|invitations|\/pages/;

/**
 * Returns the number of values that a run reports as unreadable: lists, access that is not counted, and live values
 * that a new setting replaces.
 */
const notRead = ({ plans, unlisted = [] }: Outcome): number =>
  unlisted.length +
  plans
    .flatMap(({ plan: { access, changes } }) => [
      ...changes.flatMap(({ replaced }) => (replaced?.why === undefined ? [] : { why: replaced.why })),
      ...(access?.notCounted ?? []),
      ...(access?.places ?? []).flatMap((place) => place.notCounted),
    ])
    .filter(({ why }) => !why.includes("known only after apply")).length;

/** Returns true if a request reads a setting. A read of a list also counts if no state holds a list or an entry. */
const isOfNewSetting = (target: string, held: RunRecord["heldBefore"]): boolean =>
  /\/(pages|job_token_scope)$/.test(target) ||
  (/\/(?:groups_)?allowlist\b/.test(target) &&
    ![...held.values()].flatMap((one) => [...one.values()]).some((identity) => OF_LISTS.test(identity)));

const OF_LISTS = /^(?:list|entry|group_entry) /;

/**
 * A run that cannot read a managed object does not succeed silently. Repairs are an exception: they do not show live
 * values that a new setting replaces.
 */
export const failedReadsAreTold: Rule = (world, { outcome, process, run, heldBefore }) => {
  if (outcome?.succeeded !== true || outcome.diagnostics.length > 0 || notRead(outcome) > 0) return undefined;
  const own = world.network.exchanges.filter((one) => one.process === process);
  const firstWrite = own.findIndex(({ method, target }) => method !== "GET" && !target.includes("/state/"));
  const before = firstWrite < 0 ? own : own.slice(0, firstWrite);
  const failed = before.find(
    ({ fault, target }, at) =>
      (fault === "403" || fault === "500") &&
      OF_OBJECTS.test(target) &&
      !(run.do === "repair" && isOfNewSetting(target, heldBefore)) &&
      !own.slice(at + 1).some((later) => later.target === target && later.status === 200),
  );
  return failed && `GET ${failed.target} failed with ${failed.fault}, and the run says nothing`;
};

const ACCUSATIONS = new Set(["journal_overtaken", "state_changed", "state_move_lost"]);

/**
 * No error blames another process for overwriting a state or journal, because every process in these stories takes the
 * lock. If a run could not write its journal, the error is allowed, because it is not known whether the run saved the
 * state.
 */
export const nobodyIsAccused: Rule = (world, { outcome }) => {
  const found = outcome?.diagnostics.find(
    ({ code }) => ACCUSATIONS.has(code) && !(code === "journal_overtaken" && couldLackLines(world)),
  );
  return found && `${found.code}: ${found.detail}`;
};

/** Returns true if the journal of a run may lack lines, because a fault hit a write of the journal. */
const couldLackLines = ({ runs, network }: World): boolean =>
  runs.some(({ run }) => run.disk !== undefined) ||
  network.exchanges.some(
    ({ method, target, fault }) => method !== "GET" && fault !== undefined && target.endsWith("-journal"),
  );

/**
 * If the service acknowledged a create, the object is in a state or in a journal after the run. Terraform has no
 * journal: if the response proves nothing and the object is unreadable, the error names the command that imports it.
 */
export const noAnsweredWriteIsLost: Rule = (world, record) => {
  const { outcome, written, heldAfter, liveAfter, app } = record;
  if (outcome === undefined) return undefined;
  const isLeftToPeople = (identity: string, { fault }: Exchange): boolean =>
    world.story.host === "terraform" &&
    fault === "502 after" &&
    outcome.diagnostics.some(
      ({ code, action, address }) =>
        code === "lost_answer" &&
        action?.kind === "import" &&
        app.stacks.some(({ name }) => {
          const declared = address === undefined ? undefined : declarationAt(app, name, address);
          return declared !== undefined && identityOf(declared) === identity;
        }),
    );
  const held = new Set([...heldAfter.values()].flatMap((one) => [...one.values()]));
  const lost = written.find(
    ({ identity, before, after, exchange }) =>
      before === undefined &&
      after !== undefined &&
      exchange.isAnswered &&
      liveAfter.has(identity) &&
      !world.handmade.has(identity) &&
      !held.has(identity) &&
      !held.has(listOf(identity) ?? identity) &&
      !world.states.hasJournal() &&
      !isLeftToPeople(identity, exchange),
  );
  return (
    lost &&
    about(lost.identity, `${lost.identity} was made by ${lost.exchange.target}, and no state holds it`)
  );
};

/** If Steward created an object, no run refuses the object as foreign. */
export const ownWorkIsKnown: Rule = (world, record) => {
  const { outcome, liveBefore, heldBefore, handmadeBefore } = record;
  if (outcome === undefined) return undefined;
  // With the habit `dropped-entries` of the live platform, the service changes the object after a killed run wrote it.
  // In that case, nothing shows who created the object.
  if (world.story.habits?.includes("dropped-entries")) return undefined;
  const foreign = new Set([...world.handmade, ...world.foreign, ...handmadeBefore]);
  for (const { code, address, detail } of outcome.diagnostics) {
    if (code !== "already_exists" || address === undefined) continue;
    for (const { name } of record.app.stacks) {
      const declared = declarationAt(record.app, name, address);
      if (declared === undefined) continue;
      const identity = identityOf(declared);
      const isElsewhere = [...heldBefore.values()].some((held) => [...held.values()].includes(identity));
      if (contestedIn(record.app).has(identity)) continue;
      if (!foreign.has(identity) && !isElsewhere && (liveBefore.has(identity) || !record.isDisturbed))
        return { what: `${address}: ${identity} was made by steward, and is refused: ${detail}`, identity };
    }
  }
  return undefined;
};

/** Every managed object is in a state after a successful apply. */
export const whatIsManagedIsHeld: Rule = (_, { outcome, run, app, heldAfter, isDisturbed }) => {
  if (outcome?.succeeded !== true || run.do !== "apply" || run.stacks !== undefined || isDisturbed)
    return undefined;
  const missing = declarationsOf(app).find((one) => !isHeld(heldAfter, identityOf(one)));
  return missing && about(identityOf(missing), `apply ended well, and no state holds ${identityOf(missing)}`);
};

/** An existing object that a state held stays in a state, unless the app declares or releases it. */
export const whatIsLeftIsHeld: Rule = (world, { outcome, run, app, heldBefore, heldAfter, liveAfter }) => {
  if (outcome === undefined || !["apply", "destroy", "repair", "apply saved"].includes(run.do))
    return undefined;
  const declared = declaredIdentities(app);
  const given = new Set(app.stacks.flatMap(({ released = [] }) => released));
  const released = new Set(
    app.stacks
      .flatMap(({ moved }) => moved.flatMap(([from, to]) => (given.has(to) ? from : [])))
      .concat(...given),
  );
  for (const held of heldBefore.values())
    for (const [address, identity] of held) {
      if (
        released.has(address) ||
        existsAnyway(identity) ||
        declared.has(identity) ||
        !liveAfter.has(identity)
      )
        continue;
      // Instead of an entry, a state can hold the whole list. The next apply then removes the entry.
      if (!isHeldInList(heldAfter, identity) && !world.states.hasJournal())
        return { what: `${identity} is there, and no state holds it any more`, identity };
    }
  return undefined;
};

/**
 * After a successful apply of all stacks, each existing object that Steward created is in a state. The rule holds
 * whatever happened to earlier runs.
 */
export const nothingIsOrphaned: Rule = (world, { outcome, run, isDisturbed, heldAfter, liveAfter }) => {
  if (outcome?.succeeded !== true || isDisturbed || run.do !== "apply" || run.stacks !== undefined)
    return undefined;
  if (world.states.hasJournal()) return undefined;
  for (const identity of world.made)
    if (liveAfter.has(identity) && !isHeldInList(heldAfter, identity))
      return { what: `${identity} was made by steward and is there, and no state holds it`, identity };
  return undefined;
};

const isHeld = (states: RunRecord["heldAfter"], identity: string): boolean =>
  [...states.values()].some((held) => [...held.values()].includes(identity));

/** Returns true if a state holds an object, or the whole list that contains it. */
const isHeldInList = (states: RunRecord["heldAfter"], identity: string): boolean =>
  isHeld(states, identity) || isHeld(states, listOf(identity) ?? "");

/**
 * Without a fault of the network, no response is reported as unexpected. A list that other clients change during a read
 * is a different error. This error has one cause for each list, even if many operations read the list.
 */
export const changingListsAreNamed: Rule = ({ story }, { outcome, run, isDisturbed }) => {
  if (outcome === undefined || run.network !== undefined) return undefined;
  const odd = outcome.diagnostics.find(({ code }) => code === "unexpected_answer");
  const hasPages = story.habits?.some((habit) => habit === "sign-in-page" || habit === "html-not-found");
  if (odd !== undefined && hasPages !== true) return `without a fault of the network: ${odd.detail}`;
  const changing = outcome.diagnostics.filter(({ code }) => code === "list_changing");
  const [first, second] = new Set(changing.map((one) => `${causeOf(one)} ${one.detail}`));
  if (!isDisturbed && first !== undefined) return `a list that nobody changes is said to change: ${first}`;
  const lists = new Set(changing.map(({ detail }) => detail.split(":")[0]));
  return second !== undefined && lists.size === 1
    ? `one list has several causes: ${first}; ${second}`
    : undefined;
};
