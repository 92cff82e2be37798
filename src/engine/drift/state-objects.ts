import { type Diagnostic, error, warning } from "../../diagnostics";
import { instanceAddress } from "../../language";
import type { State } from "../../state";
import type { StateObject } from "../run/objects";
import { collectSensitive } from "../run/redaction";
import { sensitivePathsOf } from "../run/sensitive-paths";
import type { StackRun } from "../run/stack-run";
import { type Restriction, restrictionOf } from "../run/targets";

/**
 * The objects of a state that another engine manages, as far as they can be read without its configuration.
 */
export interface StateSelection {
  readonly objects: readonly StateObject[];
  /** Objects of this provider that can't be read. */
  readonly unchecked: readonly StateObject[];
  /** Why, and which other objects are not read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The address of a provider configuration in any module: `module.web.provider["SOURCE"].ALIAS`. */
const PROVIDER = /^(module\..+\.)?provider\["([^"]+)"\](?:\.(.+))?$/;

/**
 * Selects the objects of a provider.
 *
 * @param key of the provider configuration
 */
export function selectStateObjects(state: State, run: StackRun, key: string): StateSelection {
  const source = run.source(key);
  const { resources } = run.providerFor(key)!.schema;
  const restriction = restrictionOf(run.context);
  const { addresses = [], option } = restriction ?? {};
  const objects: StateObject[] = [];
  const unchecked: StateObject[] = [];
  const diagnostics: Diagnostic[] = [];
  const unmatched = new Set(addresses);
  let others = 0;
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
        const matching = addresses.filter((one) => matches(address, one));
        for (const one of matching) unmatched.delete(one);
        return restriction === undefined || (option === "--target") === matching.length > 0;
      });
    for (const { instance } of present)
      collectSensitive(run.context.sensitive, instance.attributes, sensitivePathsOf(instance, {}));
    if (itsSource !== source) others += present.length;
    else if (!Object.hasOwn(resources, resource.type))
      diagnostics.push(...present.map(({ address }) => unknownType(address, resource.type)));
    else if (module === undefined && alias === undefined) objects.push(...present);
    else {
      unchecked.push(...present);
      diagnostics.push(...present.map(({ address }) => unknownSettings(address, resource.provider)));
    }
  }
  if (option !== undefined) diagnostics.push(...[...unmatched].map((one) => unknownAddress(option, one)));
  return {
    objects,
    unchecked,
    diagnostics: [...diagnostics, ...(others === 0 ? [] : [otherProviders(others)])],
  };
}

/** Whether an address of the command line names an object: itself, all instances, or a module. */
const matches = (address: string, given: string): boolean =>
  address === given || address.startsWith(`${given}[`) || address.startsWith(`${given}.`);

const unknownAddress = (option: Restriction["option"], address: string): Diagnostic =>
  error({
    code: "unknown_target",
    summary: option === "--target" ? "Unknown target" : "Unknown address to exclude",
    detail: `${option} ${address} is not in the state. Check the address; \`terraform state list\` lists the objects in the state.`,
  });

const unknownSettings = (address: string, provider: string): Diagnostic =>
  error({
    code: "provider_settings_unknown",
    summary: "Unknown settings of a provider",
    detail:
      `The object belongs to ${provider}, and a state does not hold the settings of a provider: the object could be on ` +
      "another service, so it was not read. Check it with the configuration: `steward exec -- terraform plan`.",
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
    detail: `The state holds ${count} ${count === 1 ? "object" : "objects"} of other providers, which steward can't check. Check them with their configuration: \`steward exec -- terraform plan\`.`,
  });
