import type { Diagnostic } from "../../diagnostics";
import { continueWith, type Resolution, withRecovery } from "../../framework";
import type { ValueObject } from "../../schema";
import type { StackRun } from "../stack-run/stack-run";
import { at, constructOf } from "./objects";
import type { Refreshed } from "./refresh";

const NONE: readonly Diagnostic[] = [];

/** Returns the diagnostics of an object's declared paths. Without a configuration, the paths of its state count. */
export function declaredPaths(
  run: StackRun,
  { object, before }: Refreshed,
  config: ValueObject | undefined,
): Resolution<readonly Diagnostic[]> {
  const { address, resource, provider } = object;
  const { declaredPaths: compare } = run.configured(provider);
  if (compare === undefined) return NONE;
  const request = { type: resource.type, state: before, ...(config !== undefined && { config }) };
  const found = withRecovery(
    () => compare(request),
    (problem) => Promise.reject(problem),
  );
  return continueWith(found, (diagnostics) =>
    diagnostics.length === 0
      ? NONE
      : at(diagnostics, address, constructOf(run.context.configuration, resource)),
  );
}
