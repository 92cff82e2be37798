import { type Diagnostic, error } from "../../diagnostics";
import { type ResourceAddress, resourceAddress } from "../../language";
import type { ValueObject } from "../../schema";
import type { FoundInstance, InstanceMove } from "../../state";
import { at, providerAddress } from "../run/objects";
import { textOf } from "../run/order-moves";
import type { StackRun } from "../run/stack-run";
import { storedValues } from "../steps/state-instance";

/**
 * Converts an object to another resource type, possibly of another provider, by asking the provider of that
 * type.
 */
export function changeType(
  run: StackRun,
  { resource, instance }: FoundInstance,
  to: ResourceAddress,
): { becomes?: NonNullable<InstanceMove["replacement"]>; diagnostics: readonly Diagnostic[] } {
  const declaration = run.context.configuration.resources.get(resourceAddress(to));
  const key = declaration?.provider ?? to.type.split("_")[0]!;
  const provider = run.providerFor(key);
  const schema = provider?.schema.resources[to.type];
  if (provider === undefined || schema === undefined) return { diagnostics: [unknownType(to)] };
  const { state, diagnostics } = provider.moveResource({
    sourceType: resource.type,
    sourceProvider: /provider\["([^"]+)"\]/.exec(resource.provider)?.[1] ?? resource.provider,
    sourceVersion: instance.schemaVersion,
    sourceState: instance.attributes as ValueObject,
    type: to.type,
  });
  const found = at(diagnostics, textOf(to), declaration?.construct);
  if (state === undefined) return { diagnostics: found };
  const { private: _private, extra: _extra, identity: _identity, ...kept } = instance;
  return {
    becomes: {
      provider: providerAddress(run.source(key), key),
      instance: {
        ...kept,
        schemaVersion: schema.version,
        ...storedValues(state, schema),
        sensitivePaths: [],
      },
    },
    diagnostics: found,
  };
}

const unknownType = (to: ResourceAddress): Diagnostic =>
  error({
    code: "unknown_type",
    summary: "Unknown resource",
    detail: `A moved block names ${textOf(to)}, but no provider of the embedded engine has this type.`,
    address: textOf(to),
  });
