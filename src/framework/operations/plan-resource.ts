import { type Diagnostic, formatPath, hasErrors, warning } from "../../diagnostics";
import {
  type AttributesPlan,
  isUnknown,
  isWhollyKnown,
  planAttributes,
  type SemanticEquality,
  sameValue,
  UNKNOWN,
} from "../../schema";
import type { PlanRequest, PlanResponse } from "../protocol/protocol";
import { continueWith, type Resolution } from "../protocol/resolution";
import { meaning, resolveValue } from "../references/normalize";
import { ReferenceNotFound, type References } from "../references/references";
import { rememberedIn, withRemembered } from "../references/remembered";
import { checkPlan, type Planning } from "./check-plan";
import { compareDeclared } from "./compare-paths";
import { existingObject, observeBeforeCreate } from "./existing-object";
import { removeAgain } from "./hidden-entries";
import { identify, resolveId } from "./identity";
import { refusedContainer } from "./object-problems";
import { refuseDeclared, refuseDestroyOfDeclared } from "./plan-destroy";
import { type ResourceSession, referencesOf } from "./session";
import { noteDeclared, resolveDeclared } from "./state";
import { claimIfUnchanged } from "./stays";

/** Plans one object: its future attributes, and whether the change is valid as far as the values are known. */
export const planResource = (session: ResourceSession, request: PlanRequest): Resolution<PlanResponse> => {
  const { prior, config, address, canReturnPrior } = request;
  const claimed = prior && claimIfUnchanged(session, { address, state: prior, config, isRead: true });
  if (prior === undefined || claimed === undefined) return planInFull(session, request);
  if (claimed.length > 0) return { requiresReplace: [], diagnostics: claimed };
  const id = String(prior.attributes["id"]);
  const planned = canReturnPrior
    ? prior
    : { ...prior, private: withRemembered(prior.private, { object: id }) };
  return continueWith(refuseDeclared(session, planned, { object: id }), (refused) =>
    refused.length > 0
      ? { requiresReplace: [], diagnostics: refused }
      : { planned, requiresReplace: [], diagnostics: [] },
  );
};

/** Plans one object with all checks. It looks up references, and the live objects that block a new object. */
export async function planInFull(
  session: ResourceSession,
  { prior: stored, config, address, plannedBefore, existing: wanted }: PlanRequest,
): Promise<PlanResponse> {
  const { definition } = session;
  const { container } = definition;
  try {
    const resolved = stored && resolveId(session, stored);
    const prior = resolved instanceof Promise ? await resolved : resolved;
    const references = referencesOf(session, prior);
    const comparing = compareDeclared(session, prior, config);
    const compared = comparing instanceof Promise ? await comparing : comparing;
    if (hasErrors(compared.diagnostics)) return { requiresReplace: [], diagnostics: compared.diagnostics };
    for (const { kind, text, id } of compared.moved) references.learn(kind, text, id);
    const { object: plannedObject, shown } = rememberedIn(plannedBefore);
    const planning: Planning = { session, prior, config, address, references, plannedObject, wanted };
    const isSameMeaning = sameMeaningBy(references);
    const settled = references.settled(() =>
      planAttributes(definition.attributes, prior?.attributes, config, isSameMeaning),
    );
    const plan = settled instanceof Promise ? await settled : settled;
    const { diagnostics, existing } = await findings(planning, plan);
    const id = prior?.attributes["id"] ?? UNKNOWN;
    const asPlanned = () => {
      const remembered = references.remember(isUnknown(id) ? plannedObject : String(id));
      return {
        attributes: plan.planned === prior?.attributes ? plan.planned : { ...plan.planned, id },
        private: shown === undefined ? remembered : withRemembered(remembered, { shown }),
      };
    };
    // The blocking object may belong to another address that leaves the configuration. The host learns this
    // only after this plan.
    const blocking = wanted === "tell" ? undefined : existing;
    if (hasErrors(diagnostics) && blocking === undefined) return { requiresReplace: [], diagnostics };
    noteDeclared(definition, config, references);
    const planned = asPlanned();
    const object = prior?.attributes["id"] ?? plannedObject;
    const difference = plan.isChange ? "update" : "none";
    const findRefused = () =>
      plan.requiresReplace.length > 0
        ? refuseDestroyOfDeclared(session, prior!, true)
        : refuseDeclared(session, planned, { object, existing: blocking, difference });
    // If the host keeps a whole plan and no object blocks the create, there is nothing to wait for.
    const refused = session.isPlanKept && blocking === undefined ? [] : await findRefused();
    if (refused.length > 0) return { requiresReplace: [], diagnostics: [...diagnostics, ...refused] };
    const before = prior === undefined ? await observedPlace(planning) : undefined;
    const creates = prior === undefined && !session.isPlanKept ? await identify(session, planned) : undefined;
    return {
      planned:
        creates === undefined
          ? planned
          : { ...planned, private: references.remember(plannedObject, creates) },
      requiresReplace: plan.requiresReplace,
      ...(existing && blocking === undefined && { existing }),
      ...(before && { observed: before }),
      diagnostics: [
        ...firstOfEach(session, compared.diagnostics),
        ...references.moved,
        ...diagnostics,
        ...(prior === undefined ? [] : removeAgain(definition, prior, planned)),
      ],
    };
  } catch (problem) {
    const diagnostics = session.failures.toDiagnostics(problem);
    const isOfContainer =
      problem instanceof ReferenceNotFound && diagnostics[0]?.attribute?.[0] === container;
    if (!isOfContainer) return { requiresReplace: [], diagnostics };
    const refused = refusedContainer(session, config[container], 404);
    return { requiresReplace: [], diagnostics: diagnostics.map((one) => ({ ...one, refused })) };
  }
}

/**
 * Removes warnings whose cause the run has already reported. Hosts that keep a whole plan merge such warnings
 * themselves.
 */
const firstOfEach = ({ isPlanKept, announced }: ResourceSession, found: readonly Diagnostic[]) =>
  isPlanKept ? found : found.filter(({ cause = "" }) => !announced.has(cause) && announced.add(cause));

async function observedPlace(planning: Planning) {
  const { session, config, references } = planning;
  const { definition, isConnected, isPlanKept } = session;
  // Without a connection, references can't be resolved.
  if (!isWhollyKnown(config) || !isConnected || !isPlanKept) return undefined;
  return observeBeforeCreate(session, await resolveDeclared(definition, config, references));
}

async function findings(planning: Planning, plan: AttributesPlan) {
  // The host plans a replacement a second time without a prior state. That plan does the checks and registers
  // the ownership.
  if (plan.requiresReplace.length > 0) return { diagnostics: await reasonsToReplace(planning, plan) };
  // Without a connection, the plan of a new object uses only its declaration. The apply looks up its
  // references.
  if (planning.prior === undefined && !planning.session.isConnected) return { diagnostics: [] };
  const { diagnostics, existing: ids } = await checkPlan(planning, plan);
  return { diagnostics, existing: existingObject(planning.session, ids) };
}

const sameMeaningBy =
  (references: References): SemanticEquality =>
  ({ type }, one, other, path) => {
    const isSameText = sameValue(one, other, type);
    if (isSameText || !isWhollyKnown(other)) return isSameText;
    const wanted = meaning(type, resolveValue(type, other, references, path));
    try {
      return meaning(type, resolveValue(type, one, references, path)) === wanted;
    } catch (problem) {
      // The prior reference no longer exists, so the configured reference is a different one.
      if (problem instanceof ReferenceNotFound) return false;
      throw problem;
    }
  };

/** Explains each reference that forces a replacement, with its current object and its previous object. */
async function reasonsToReplace(
  { session, prior, config, references }: Planning,
  { requiresReplace }: AttributesPlan,
): Promise<Diagnostic[]> {
  const { definition } = session;
  const reasons: Diagnostic[] = [];
  for (const path of requiresReplace) {
    const name = String(path[0]);
    const { type } = definition.attributes[name]!;
    const [before, now] = [prior?.attributes[name] ?? null, config[name] ?? null];
    if (type.kind !== "reference" || before === null || now === null || !isWhollyKnown(now)) continue;
    const { id } = await references.resolve(type.to, String(now), path);
    const named = String(now) === String(id) ? id : `"${now}" (${id})`;
    reasons.push(
      warning({
        code: "reference_changed",
        summary: `Reference to another ${type.to}`,
        detail: `\`${formatPath(path)}\` now refers to the ${type.to} ${named}, but this object belongs to "${before}". Steward will replace the object. To keep the object, declare "${before}".`,
        attribute: path,
      }),
    );
  }
  return reasons;
}
