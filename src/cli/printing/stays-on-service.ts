import type { ResourceChange } from "../../engine";
import { createProvider, PROVIDER_SOURCE } from "../../provider";

let provider: ReturnType<typeof createProvider> | undefined;

/** Whether the service keeps a destroyed object as it is, such as a setting that exists anyway. */
export function staysOnService({ provider: source, mode, type, action, before }: ResourceChange): boolean {
  if (source !== PROVIDER_SOURCE || mode !== "managed" || action !== "delete" || before === null)
    return false;
  provider ??= createProvider();
  if (!Object.hasOwn(provider.schema.resources, type)) return false;
  return provider.leavesOnDestroy?.(type, before) ?? false;
}
