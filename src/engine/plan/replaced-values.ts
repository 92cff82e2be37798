import type { ReplacedValues, StoredState } from "../../framework";
import type { InstanceContext } from "../lifecycle/instance-conditions";
import type { InstanceConfig } from "../run/instance-config";

/** The live values that a create replaces, without sensitive ones. Nothing is read without a refresh. */
export async function replacedValues(
  { run, declaration }: InstanceContext,
  { config, sensitive }: InstanceConfig,
  planned: StoredState,
): Promise<ReplacedValues | undefined> {
  const { refresh, stop } = run.context;
  const { type, provider } = declaration;
  const { replacedValues: read } = run.configured(provider);
  if (read === undefined || refresh === false || stop?.aborted) return undefined;
  const found = await read({ type, config, private: planned.private });
  if (found?.live === undefined) return found;
  const shown = Object.entries(found.live).filter(
    ([name]) => !sensitive.some(([hidden]) => hidden === undefined || hidden === name),
  );
  return shown.length === 0 ? undefined : { live: Object.fromEntries(shown) };
}
