import { type Diagnostic, error, hintFor, LIST_OBJECTS, warning } from "../../diagnostics";
import type { NotCounted } from "../../framework";
import { instanceAddress } from "../../language";
import { isDeclared } from "../../schema";
import type { State } from "../../state";
import { withoutKey } from "../declarations/address-keys";
import type { StateObject } from "../objects/objects";
import { type Refreshed, Refresher } from "../objects/refresh";
import type { DriftReport } from "../results/drift";
import { collectSensitive, sensitivePathsOf } from "../results/redaction";
import { BUILTIN_SOURCE } from "../stack-run/builtin-provider";
import type { Restriction, RunContext } from "../stack-run/context";
import { interruptedRead, type StackRun, withRun } from "../stack-run/stack-run";
import { type Declared, Drift, type DriftAccess } from "./found-drift";

/** Matches the address of a provider configuration in any module: `module.web.provider["SOURCE"].ALIAS`. */
const PROVIDER = /^(module\..+\.)?provider\["([^"]+)"\](?:\.(.+))?$/;

/**
 * Selects the objects of one provider from a state that another engine manages. In the result, `objects` can be read,
 * and `unchecked` can't be read. The diagnostics describe every part of the state that is not read.
 *
 * @param key the key of the provider configuration
 */
export function selectStateObjects(state: State, run: StackRun, key: string) {
  const source = run.source(key);
  const { resources } = run.providerFor(key)!.schema;
  const restriction = run.restriction;
  const { addresses = [], option } = restriction ?? {};
  const objects: StateObject[] = [];
  const unchecked: StateObject[] = [];
  const diagnostics: Diagnostic[] = [];
  const unmatched = new Set(addresses);
  let others = 0;
  const notCounted: NotCounted[] = [];
  for (const resource of state.resources.filter(({ mode }) => mode === "managed")) {
    const [, module, itsSource, alias] = PROVIDER.exec(resource.provider) ?? [];
    const present = resource.instances
      .filter(({ deposed }) => deposed === undefined)
      .map((instance) => ({
        address: instanceAddress(resource, instance),
        resource,
        instance,
        provider: key,
      }))
      .filter(({ address }) => {
        const matching = addresses.filter((one) => isMatch(address, one));
        for (const one of matching) unmatched.delete(one);
        return restriction === undefined || (option === "--target") === matching.length > 0;
      });
    for (const { instance } of present)
      collectSensitive(run.context.sensitive, instance.attributes, sensitivePathsOf(instance, {}));
    if (itsSource !== source) {
      others += present.length;
      const why = `it belongs to another provider, ${itsSource}`;
      if (itsSource !== BUILTIN_SOURCE)
        notCounted.push(...present.map(({ address }) => ({ what: address, why })));
    } else if (!Object.hasOwn(resources, resource.type))
      diagnostics.push(...present.map(({ address }) => unknownType(address, resource.type)));
    else if (module === undefined && alias === undefined) objects.push(...present);
    else {
      unchecked.push(...present);
      diagnostics.push(...present.map(({ address }) => unknownSettings(address, resource.provider)));
    }
  }
  const known = state.resources.flatMap((resource) =>
    resource.instances.map((instance) => instanceAddress(resource, instance)),
  );
  if (option !== undefined)
    diagnostics.push(...[...unmatched].map((one) => unknownAddress(option, one, known)));
  return {
    objects,
    unchecked,
    notCounted,
    diagnostics: [...diagnostics, ...(others === 0 ? [] : [otherProviders(others)])],
  };
}

/** Returns whether an address from the command line is the address of an object, of its resource, or of its module. */
const isMatch = (address: string, given: string): boolean =>
  address === given || address.startsWith(`${given}[`) || address.startsWith(`${given}.`);

function unknownAddress(
  option: Restriction["option"],
  address: string,
  known: readonly string[],
): Diagnostic {
  const { hint, action } = hintFor(address, known, LIST_OBJECTS);
  return error({
    code: "unknown_target",
    summary: option === "--target" ? "Unknown target" : "Unknown address to exclude",
    detail: `The address ${address} of ${option} is not in the state. ${hint}`,
    ...(action !== undefined && { action }),
  });
}

const unknownSettings = (address: string, provider: string): Diagnostic =>
  error({
    code: "provider_settings_unknown",
    summary: "Unknown settings of a provider",
    detail: `The object belongs to ${provider}. A state does not contain the settings of a provider, so the object may be on another service. Steward did not read the object. Check it together with its configuration.`,
    action: { kind: "other", program: "terraform plan" },
    address,
  });

const unknownType = (address: string, type: string): Diagnostic =>
  error({
    code: "unknown_type",
    summary: "Unknown resource type in the state",
    detail: `The provider has no resource of the type "${type}". Use the version of the provider that wrote the state.`,
    address,
  });

const otherProviders = (count: number): Diagnostic =>
  warning({
    code: "other_providers",
    summary: "Objects of other providers",
    detail: `The state contains ${count === 1 ? "1 object of another provider" : `${count} objects of other providers`}. Steward can't check ${count === 1 ? "this object" : "these objects"}. Check ${count === 1 ? "it" : "them"} with Terraform.`,
    action: { kind: "other", program: "terraform plan" },
  });

/**
 * Calls `work` with the only provider configuration of a context. `isConnected` is false if the provider has no client.
 *
 * @throws Error if the configuration does not have exactly one provider
 */
export function withProvider<T>(
  context: RunContext,
  work: (run: StackRun, key: string, isConnected: boolean) => Promise<T>,
  purpose: "read" | "change" = "read",
): Promise<T> {
  const { providers } = context.configuration;
  const [key, other] = [...providers.keys()];
  if (key === undefined || other !== undefined) throw new Error("There must be exactly one provider.");
  return withRun(
    context,
    (run) => work(run, key, run.visitProvider({ key, declaration: providers.get(key) }) === "done"),
    purpose,
  );
}

/**
 * Finds changes that were made on the service to objects in a state of Terraform or OpenTofu. Such a state does not show which
 * attributes are declared. A changed `optionalComputed` attribute is drift if the provider recorded the attribute as declared.
 * Without such a record, the attribute is reported as not known to be declared.
 *
 * @param context its configuration has exactly one provider and no declarations
 */
export function detectStateDrift(
  context: RunContext,
  state: State,
  access: DriftAccess = {},
): Promise<DriftReport> {
  return withProvider(context, async (run, key, isConnected) => {
    const found = selectStateObjects(state, run, key);
    run.report(found.diagnostics);
    const drift = new Drift(run);
    for (const object of found.unchecked)
      drift.leaveUnchecked(
        object,
        found.diagnostics.filter(({ address }) => address === object.address),
      );
    if (isConnected) {
      const refresher = new Refresher(run, found.objects);
      await run.guard(key, async () => refresher.start(key));
      for (const { address } of found.objects)
        await run.guard(address, async () => {
          const refreshed = (await refresher.result(address))!;
          // The actions of diagnostics are removed, because an action works only on a state that Steward manages.
          const diagnostics = refreshed.diagnostics.map(({ action: _, ...text }) => text);
          return drift.check({ ...refreshed, diagnostics }, () => declaredIn(run, refreshed));
        });
    }
    if (context.stop?.aborted) run.report([interruptedRead()]);
    const dependencies = new Map(
      found.objects.map(({ address, instance }) => [withoutKey(address), instance.dependencies]),
    );
    return drift.report({ dependencies, scans: [] }, { ...access, notCounted: found.notCounted });
  });
}

/**
 * Returns tests for the declared attributes of an object. The tests use the provider's record in the state, if there is
 * one.
 */
function declaredIn(run: StackRun, { object, before }: Refreshed): Declared {
  const names = run.configured(object.provider).declaredIn?.(before);
  return {
    isDeclared: (attribute, name) =>
      attribute.presence === "optionalComputed"
        ? (names?.includes(name) ?? true)
        : isDeclared(attribute, before.attributes[name]),
    isUncertain: ({ presence }) => names === undefined && presence === "optionalComputed",
  };
}
