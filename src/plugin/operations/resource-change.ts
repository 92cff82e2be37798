import type { PlanResponse } from "../../provider/protocol";
import { type Attributes, planAttributes, type ValueObject } from "../../provider/schema";
import { writePath } from "../values/attribute-path";
import { diagnosticsOf } from "../values/diagnostics";
import { readObject } from "../values/read-value";
import { readState, writeState } from "../values/stored-state";
import { given, ofResource, operation } from "./operation";

export const planResourceChange = operation("PlanResourceChange", {
  attributes: ofResource,
  async answer(session, request, attributes) {
    const { typeName: type, priorState, proposedNewState, priorPrivate } = request;
    const prior = readState(attributes, priorState, priorPrivate);
    if (readObject(attributes, proposedNewState) === undefined) {
      const { value, bytes } = writeState(attributes, undefined);
      return { plannedState: value, plannedPrivate: prior === undefined ? bytes : priorPrivate };
    }
    const config = given(readObject(attributes, request.config), "configuration");
    const plan =
      prior === undefined && !session.isConfigured
        ? await planCreateBlind(attributes, config)
        : await session.client.planResource({ type, prior, config });
    const { value, bytes } = writeState(attributes, plan.planned);
    return {
      plannedState: value,
      plannedPrivate: bytes,
      requiresReplace: plan.requiresReplace.map((path) => writePath(attributes, path)),
      diagnostics: plan.diagnostics,
    };
  },
});

/**
 * Plans a creation by the schema alone, where the provider's own configuration is known after apply only: nothing can
 * be asked of the service, and nothing needs to be. What references name is found out at apply.
 */
async function planCreateBlind(attributes: Attributes, config: ValueObject): Promise<PlanResponse> {
  const { planned } = await planAttributes(attributes, undefined, config, async () => false);
  return { planned: { attributes: planned }, requiresReplace: [], diagnostics: [] };
}

export const applyResourceChange = operation("ApplyResourceChange", {
  attributes: ofResource,
  async answer(session, request, attributes) {
    const { typeName: type, priorState, plannedPrivate } = request;
    try {
      const applied = await session.client.applyResource({
        type,
        prior: readState(attributes, priorState, plannedPrivate),
        planned: readState(attributes, request.plannedState, plannedPrivate),
        config: readObject(attributes, request.config),
      });
      const { value, bytes } = writeState(attributes, applied.state);
      return { newState: value, private: bytes, diagnostics: applied.diagnostics };
    } catch (problem) {
      // Whatever went wrong here, what was in the state still is what exists as far as anyone knows.
      return {
        newState: given(priorState, "prior state"),
        private: plannedPrivate,
        diagnostics: diagnosticsOf(problem),
      };
    }
  },
});
