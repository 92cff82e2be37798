import * as z from "zod/mini";
import type { JsonObject } from "../../state";
import type { Plan, ResourceChange } from "../model/plan";
import { type AttributesOf, changeOf, namedObject } from "./read-plan-json";

const resource = z.extend(namedObject, {
  mode: z.literal("managed"),
  deposed_key: z.optional(z.string()),
  values: z.optional(z.custom<JsonObject>((value) => typeof value === "object" && value !== null)),
  sensitive_values: z.optional(z.unknown()),
});
const stateModule = z.object({
  resources: z.optional(z.array(z.unknown())),
  get child_modules() {
    return z.optional(z.array(stateModule));
  },
});
const state = z.object({ values: z.object({ root_module: stateModule }) });

/**
 * The managed objects as they are after the apply, sorted as in the plan: those that it changes, those that it
 * does not, and those that it leaves out, such as objects outside of the targets. The latter come from the prior state.
 */
export function objectsAfter(plan: Plan, attributesOf: AttributesOf): readonly ResourceChange[] {
  const planned = plan.changes.filter(({ mode }) => mode === "managed");
  const known = new Set(
    planned
      .filter(({ deposed }) => deposed === undefined)
      .flatMap(({ address, previousAddress }) => [address, previousAddress]),
  );
  const { data } = state.safeParse(plan.basis.priorState);
  const leftOut = data === undefined ? [] : resourcesIn(data.values.root_module).filter(leftOutFilter(known));
  return [
    ...planned.filter(
      ({ deposed, action, after }) => deposed === undefined && action !== "forget" && after !== null,
    ),
    ...leftOut.map((one) => unchanged(one, attributesOf)),
  ];
}

type Module = z.infer<typeof stateModule>;
type Resource = z.infer<typeof resource>;

const resourcesIn = ({ resources = [], child_modules = [] }: Module): Resource[] => [
  ...resources.flatMap((one) => resource.safeParse(one).data ?? []),
  ...child_modules.flatMap(resourcesIn),
];

const leftOutFilter =
  (known: ReadonlySet<string | undefined>) =>
  ({ address, deposed_key }: Resource): boolean =>
    deposed_key === undefined && !known.has(address);

function unchanged(
  { values = {}, sensitive_values, deposed_key: _, ...facts }: Resource,
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
