import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import type { AccessReport, AccessRequest, Provider } from "../../framework";
import type { ValueObject } from "../../schema";
import type { JsonObject } from "../../state";
import { withoutKeys } from "../declarations/address-keys";
import type { Plan, ResourceChange } from "../results/plan";
import { BUILTIN_SOURCE } from "../stack-run/builtin-provider";
import { configurationsOf, objectAt, resourcesInJson } from "./dependencies";

/**
 * Reports the access that a plan in JSON gives and takes away. The function reads live objects from the service. The
 * environment contains the address of this service.
 *
 * @param provider a provider that gets its configuration from the environment
 * @param settings the names of the environment variables for the service, for messages, such as `A and B`
 * @throws DiagnosticError if the service or the token is missing, or the plan is for another service
 */
export async function accessOfPlan(plan: Plan, provider: Provider, settings: string): Promise<AccessReport> {
  const { source } = provider.schema;
  const { provider: configured, diagnostics } = provider.configure({}, {});
  if (configured === undefined || hasErrors(diagnostics))
    throw new DiagnosticError(diagnostics.map((one) => forAccess(one, settings)));
  try {
    const configurations = [...configurationsOf(plan.basis.configuration, source).values()];
    for (const one of configurations)
      requireService(await serviceOf(one, provider), configured.service, settings);
    const declared = declaredIn(plan.basis.configuration);
    const changes = plan.changes.filter(isServiceChange);
    const known = (change: ResourceChange) =>
      change.provider === source && Object.hasOwn(provider.schema.resources, change.type);
    const report = await configured.describeAccess?.(
      changes.filter(known).map((change) => requestOf(change, declared)),
    );
    const notCounted = [...(report?.notCounted ?? [])];
    const add = (what: string, why: string) => notCounted.push({ what, why });
    for (const change of changes)
      if (!known(change))
        add(
          change.address,
          change.provider === source
            ? `this release does not know the type ${change.type}`
            : `it belongs to another provider, ${change.provider}`,
        );
    if (!plan.applicable) add("objects without a plan", "the plan is not complete");
    if (configurations.length > 1)
      add("which objects are on another service", "the plan has several configurations of the provider");
    return { places: report?.places ?? [], notCounted };
  } finally {
    await configured.close();
  }
}

const forAccess = (one: Diagnostic, settings: string): Diagnostic => ({
  ...one,
  detail: `The access report of a JSON plan reads the live service from ${settings}. ${one.detail}`,
});

/** Returns whether the apply of a change can send requests that change the service. */
const isServiceChange = ({ mode, action, provider }: ResourceChange): boolean =>
  mode === "managed" &&
  provider !== BUILTIN_SOURCE &&
  action !== "no-op" &&
  action !== "read" &&
  action !== "forget";

function requestOf(
  { type, address, before, after, attributes }: ResourceChange,
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): AccessRequest {
  const names =
    declared.get(withoutKeys(address)) ??
    new Set(Object.keys(after ?? {}).filter((name) => attributes[name]?.presence !== "computed"));
  const config: ValueObject | undefined =
    after === null
      ? undefined
      : Object.fromEntries(Object.entries(after).filter(([name]) => names.has(name)));
  return {
    type,
    address,
    config,
    prior: before === null ? undefined : { attributes: before },
    planned: after === null ? undefined : { attributes: after },
  };
}

/** Returns the names of the declared attributes of each resource, by address. */
const declaredIn = (configuration: JsonObject): Map<string, ReadonlySet<string>> =>
  new Map(
    [...resourcesInJson(configuration)].map(({ address, resource }) => [
      address,
      new Set(Object.keys(objectAt(resource, "expressions"))),
    ]),
  );

/**
 * Returns the service that a provider configuration leads to. Constants come from the configuration, and all other values from
 * the environment.
 */
async function serviceOf(configuration: JsonObject, provider: Provider): Promise<string | undefined> {
  const expressions = objectAt(configuration, "expressions");
  const constants = Object.keys(expressions).flatMap((name) => {
    const value = objectAt(expressions, name)["constant_value"];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const { provider: configured } = provider.configure(Object.fromEntries(constants), {});
  await configured?.close();
  return configured?.service;
}

/** Fails if the plan and the report are for different services. */
function requireService(planned: string | undefined, service: string | undefined, settings: string): void {
  if (planned === undefined || service === undefined || originOf(planned) === originOf(service)) return;
  throw new DiagnosticError([
    error({
      code: "access_of_another_service",
      summary: "Plan is for another service",
      detail: `The plan is for ${originOf(planned)}, but the environment names ${originOf(service)}, so the access report would be wrong. Set ${settings} for the service of the plan, or omit --access.`,
    }),
  ]);
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
