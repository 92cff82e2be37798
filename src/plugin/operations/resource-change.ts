import { whenKnown } from "../../framework";
import type { Messages } from "../messages/generated/tfplugin6";
import { diagnosticsOf, writePath } from "../values/diagnostics";
import {
  readState,
  toBase64,
  withPrivate,
  writeIdentity,
  writeKept,
  writeState,
} from "../values/stored-state";
import { isNull, readObject } from "../values/wire-value";
import { identityOf, ofResource, operation, required } from "./operation";

export const PlanResourceChange = operation("PlanResourceChange", {
  attributes: ofResource,
  handle(session, request, attributes) {
    const { typeName: type, priorState, proposedNewState, priorPrivate } = request;
    const { seen } = session;
    const known = seen.again(attributes, priorState);
    const prior = known && withPrivate(known, priorPrivate);
    if (isNull(proposedNewState)) {
      return whenKnown(prior && session.client.planDestroy({ type, prior }), (asked) => {
        const { value } = writeState(attributes, undefined);
        return { plannedState: value, plannedPrivate: priorPrivate, diagnostics: asked?.diagnostics ?? [] };
      });
    }
    const config = required(seen.again(attributes, request.config), "configuration");
    const before = plannedBefore(request);
    const asked = session.client.planResource({
      type,
      prior,
      config,
      existing: "refuse",
      ...(prior === undefined && before.length > 0 && { plannedBefore: toBase64(before) }),
    });
    return whenKnown(prior === undefined ? session.judge(asked) : asked, (plan) => {
      const came = { state: prior, value: priorState!, bytes: priorPrivate };
      const { value, bytes } = writeKept(attributes, plan.planned, came, true);
      return {
        plannedState: value,
        plannedPrivate: bytes,
        plannedIdentity: writeIdentity(identityOf(session, type), plan.planned?.identity),
        requiresReplace: plan.requiresReplace.map((path) => writePath(attributes, path)),
        diagnostics: plan.diagnostics.map((one) =>
          one.code === "already_exists" && !request.clientCapabilities?.storePlannedPrivate
            ? { ...one, detail: `${one.detail} ${IF_REPLACED}` }
            : one,
        ),
      };
    });
  },
});

/** Such a client does not say during apply what its plan was: a replacement that creates first is a new object then. */
const IF_REPLACED = "If this apply replaces it, first remove its address from the state.";

/**
 * The private bytes of an earlier plan of the same change. A replacement is planned a second time, with the bytes of the first plan. Terraform from 1.16
 * on has those of the plan when it plans once more during apply; older releases and OpenTofu have none then.
 */
const plannedBefore = ({
  priorPrivate,
  plannedPrivate,
}: Pick<Messages["PlanResourceChange.Request"], "priorPrivate" | "plannedPrivate">): Uint8Array =>
  priorPrivate.length > 0 ? priorPrivate : plannedPrivate;

export const ApplyResourceChange = operation("ApplyResourceChange", {
  attributes: ofResource,
  async handle(session, request, attributes) {
    const { typeName: type, priorState, plannedPrivate } = request;
    try {
      const applied = await session.apply({
        type,
        prior: readState(attributes, priorState, plannedPrivate),
        planned: readState(attributes, request.plannedState, plannedPrivate),
        config: readObject(attributes, request.config),
      });
      const { value, bytes } = writeState(attributes, applied.state);
      return {
        newState: value,
        private: bytes,
        newIdentity: writeIdentity(identityOf(session, type), applied.state?.identity),
        diagnostics: applied.diagnostics,
      };
    } catch (problem) {
      // After an unexpected error the prior state is the best available knowledge.
      return {
        newState: required(priorState, "prior state"),
        private: plannedPrivate,
        newIdentity: isNull(priorState) ? undefined : request.plannedIdentity,
        diagnostics: diagnosticsOf(problem),
      };
    }
  },
});
