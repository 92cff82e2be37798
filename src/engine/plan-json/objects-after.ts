import * as z from "zod/mini";
import type { JsonObject } from "../../state";
import type { Plan, ResourceChange } from "../results/plan";
import { resourcesInState } from "./dependencies";
import { type AttributesOf, changeOf, namedObject } from "./read-plan-json";

const resource = z.extend(namedObject, {
  mode: z.literal("managed"),
  deposed_key: z.optional(z.string()),
  values: z.optional(z.custom<JsonObject>((value) => typeof value === "object" && value !== null)),
  sensitive_values: z.optional(z.unknown()),
});

/**
 * Returns all managed objects that exist after the apply, also unchanged objects, sorted as in the plan. Objects that the plan
 * leaves out, for example because of targets, come from the prior state.
 */
export function objectsAfter(plan: Plan, attributesOf: AttributesOf): readonly ResourceChange[] {
  const planned = plan.changes.filter(({ mode }) => mode === "managed");
  const known = new Set(
    planned
      .filter(({ deposed }) => deposed === undefined)
      .flatMap(({ address, previousAddress }) => [address, previousAddress]),
  );
  const leftOut = resourcesInState(plan.basis.priorState)
    .flatMap((one) => resource.safeParse(one).data ?? [])
    .filter(({ address, deposed_key }) => deposed_key === undefined && !known.has(address));
  return [
    ...planned.filter(
      ({ deposed, action, after }) => deposed === undefined && action !== "forget" && after !== null,
    ),
    ...leftOut.map((one) => unchanged(one, attributesOf)),
  ];
}

function unchanged(
  { values = {}, sensitive_values, deposed_key: _, ...facts }: z.infer<typeof resource>,
  attributesOf: AttributesOf,
): ResourceChange {
  const change = {
    actions: "no-op" as const,
    before: values,
    after: values,
    before_sensitive: sensitive_values,
    after_sensitive: sensitive_values,
    after_unknown: undefined,
  };
  return changeOf({ ...facts, change }, attributesOf);
}
