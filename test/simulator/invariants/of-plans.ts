// Rules for the plans of a run after its end.

import { contestedIn } from "../world/app";
import { identityOfState } from "../world/held";
import { existsAnyway } from "../world/live";
import { expectedOf, identityOf } from "../world/objects";
import { about, type Finding, type RunRecord } from "../world/records";
import type { World } from "../world/world";
import { keepsEntries } from "./kept-entries";
import { declaredIdentities } from "./of-requests";
import { declarationAt, identitiesOf, listOf, shownBy } from "./shown";

type Rule = (world: World, record: RunRecord) => Finding;

/** A run changes only objects whose changes its plans show. */
export const nothingUnshownIsWritten: Rule = (_, record) => {
  if (record.outcome === undefined) return undefined;
  const shown = new Set(shownBy(record).flatMap(identitiesOf));
  const hidden = record.written.find(({ identity }) => {
    if (identity.startsWith("list ")) return false;
    return !shown.has(identity) && !shown.has(listOf(identity) ?? identity);
  });
  return (
    hidden &&
    about(hidden.identity, `${hidden.exchange.method} changed ${hidden.identity}, which no plan showed`)
  );
};

/** No plan that can be applied deletes an object that is still declared. */
export const nothingDeclaredIsToBeDeleted: Rule = (_, record) => {
  if (record.outcome === undefined || record.run.do === "destroy" || record.run.network !== undefined)
    return undefined;
  const declared = declaredIdentities(record.app);
  const applicable = new Set(
    record.outcome.plans.flatMap(({ stack, plan }) => (plan.applicable ? stack : [])),
  );
  const found = shownBy(record).find(
    ({ stack, change, held }) =>
      change.action === "delete" && held !== undefined && declared.has(held) && applicable.has(stack),
  );
  return (
    found && about(found.held!, `${found.change.address} is to be deleted, and ${found.held} is declared`)
  );
};

/**
 * A plan does not create an object that is in the state of the stack, at any address. The exception is a setting that
 * an earlier run began to destroy.
 */
export const whatIsHeldIsNotCreated: Rule = (world, record) => {
  const { outcome, run, isDisturbed, heldBefore, heldAfter, liveBefore, leavingBefore } = record;
  if (outcome === undefined || isDisturbed || run.network !== undefined || run.replaces !== undefined)
    return undefined;
  if (world.story.host === "terraform" || world.states.hasJournal()) return undefined;
  const found = shownBy(record).find(({ stack, change, declared }) => {
    const identity = declared && identityOf(declared);
    const isCreated = change.action.includes("create") && identity !== undefined;
    if (!isCreated || !liveBefore.has(identity)) return false;
    if (existsAnyway(identity) && leavingBefore.has(identity)) return false;
    if (isBehind(world, record) && [...(heldAfter.get(stack)?.values() ?? [])].includes(identity))
      return false;
    return [...(heldBefore.get(stack)?.values() ?? [])].includes(identity);
  });
  return (
    found &&
    about(
      identityOf(found.declared!),
      `${found.change.address} is to be made, and the state of ${found.stack} holds it`,
    )
  );
};

/**
 * Returns true if the previous run died and replicas can lag behind the writes of that run. Objects of that run then
 * seem to be missing. The service refuses to create these objects again, and the state keeps them.
 */
const isBehind = ({ story, runs }: World, record: RunRecord): boolean =>
  story.habits?.includes("lagging-replicas") === true &&
  runs[runs.indexOf(record) - 1]?.outcome === undefined;

/**
 * An apply sends the requests that its plan shows. The plan must show every DELETE, because limits count the shown
 * requests.
 */
export const shownRequestsAreSent: Rule = (world, { outcome, run, process, isDisturbed }) => {
  const isCalm = run.network === undefined && run.disk === undefined && run.crash === undefined;
  if (outcome?.succeeded !== true || run.describes !== true || isDisturbed || !isCalm) return undefined;
  const plans = outcome.plans.filter(({ isApplied }) => isApplied);
  const steps = plans.flatMap(({ plan }) => plan.requests ?? []);
  const shown = counted(
    steps.flatMap(({ requests }) =>
      requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`),
    ),
  );
  const sent = counted(
    world.network.exchanges
      .filter((one) => one.process === process && one.method !== "GET")
      .filter(({ target }) => !target.includes("/terraform/state/"))
      .filter(({ target, status }) => !isOtherForm(world, target, status))
      .map(({ method, target }) => `${method} ${decodeURIComponent(target.replace(/^\/api\/v4/, ""))}`),
  );
  const isWhole = steps.every(({ why }) => why === undefined);
  for (const request of new Set([...shown.keys(), ...sent.keys()])) {
    const [before, after] = [shown.get(request) ?? 0, sent.get(request) ?? 0];
    if (before > after || (isWhole && before < after))
      return `${request} was shown ${before} times, and sent ${after} times`;
  }
  return undefined;
};

/**
 * Returns true for a request that the service refused because of the form of a primary domain. Steward then sends the
 * domain in another form.
 */
const isOtherForm = ({ story }: World, target: string, status: number | undefined): boolean =>
  status === 400 && target.endsWith("/pages") && story.habits?.includes("primary-domain-urls") === true;

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}

/** A successful apply has executed every change that its plan shows. */
export const nothingShownIsLeftOut: Rule = (_, record) => {
  const { outcome, isDisturbed, liveAfter, app } = record;
  if (outcome === undefined || !outcome.succeeded || isDisturbed) return undefined;
  const applied = new Set(outcome.plans.filter(({ isApplied }) => isApplied).map(({ stack }) => stack));
  const declared = declaredIdentities(app);
  for (const { stack, change, declared: wanted, held } of shownBy(record)) {
    if (!applied.has(stack)) continue;
    if (wanted !== undefined && record.run.do !== "destroy") {
      const live = liveAfter.get(identityOf(wanted));
      if (live !== expectedOf(wanted) && !keepsEntries(outcome, identityOf(wanted)))
        return about(
          identityOf(wanted),
          `${change.address} was to ${change.action}: ${identityOf(wanted)} is ${live ?? "not there"}, declared ${expectedOf(wanted)}`,
        );
    }
    if (change.action === "delete" && held !== undefined && liveAfter.has(held)) {
      if (!existsAnyway(held) && !declared.has(held) && change.sameAs === undefined)
        return { what: `${change.address} was to be deleted, and ${held} is there`, identity: held };
    }
  }
  return undefined;
};

/** A plan or an apply of all stacks fails if one object has two declarations. */
export const contradictionsAreRefused: Rule = (_, { outcome, run, app }) => {
  if (outcome === undefined || (run.do !== "apply" && run.do !== "plan") || run.stacks !== undefined)
    return undefined;
  if (!outcome.succeeded) return undefined;
  const [contested] = contestedIn(app);
  return contested && { what: `${run.do} accepts two declarations of ${contested}`, identity: contested };
};

/**
 * A plan takes over an object only if the user asks for it. The address must declare exactly this object, and no other
 * address of the app may declare or hold it.
 */
export const takeoversAreExact: Rule = (world, record) => {
  const { outcome, run, app, heldBefore, liveBefore, isDisturbed } = record;
  if (outcome === undefined) return undefined;
  const unasked = outcome.plans.flatMap(
    ({ plan }) => plan.changes.find(({ importing }) => importing?.existing) ?? [],
  );
  if (run.importExisting !== true)
    return unasked[0] && run.do !== "apply saved"
      ? `${unasked[0].address} takes over what exists, and nobody asked`
      : undefined;
  const contested = contestedIn(app);
  const heldElsewhere = new Set([...heldBefore.values()].flatMap((held) => [...held.values()]));
  for (const { stack, plan } of outcome.plans) {
    if (!plan.applicable) continue;
    for (const { importing, type, before, address, action } of plan.changes) {
      if (importing?.existing !== true) continue;
      const identity = identityOfState(type, before!)!;
      const declared = declarationAt(app, stack, address);
      const reasons: readonly (readonly [holds: boolean, why: string])[] = [
        [declared === undefined || identityOf(declared) !== identity, "is not what is declared"],
        [contested.has(identity), "is declared twice"],
        [heldElsewhere.has(identity), "is held by a state"],
        [action.includes("delete"), "would be deleted"],
        [!liveBefore.has(identity) && !isDisturbed && !world.states.hasJournal(), "was not live"],
      ];
      const why = reasons.find(([holds]) => holds)?.[1];
      if (why !== undefined) return { what: `${address} takes over ${identity}, which ${why}`, identity };
    }
  }
  return undefined;
};
