import { apply, type Diagnostic, drift, type StackSource } from "cdktf-provider-steward/engine";
import { createProvider } from "cdktf-provider-steward/provider";

interface Options {
  /** `STEWARD_BASE_URL`, `STEWARD_TOKEN`, and other variables that the app and its backend need. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Receives the progress. */
  readonly log: (line: string) => void;
}

/** Reverts changes made by hand, unless that would delete something: a person must review deletes. */
export async function reconcile(source: StackSource, { env, signal, log }: Options): Promise<boolean> {
  const options = { providers: [createProvider()], env, signal };
  const found = await drift(source, options).result;
  if (found.succeeded && !found.hasDrift) return true;
  for (const { stack, report } of found.stacks)
    for (const { kind, change } of report?.drifted ?? [])
      log(`${stack ?? "configuration"}: ${change.address} ${kind}`);

  const run = apply(source, { ...options, approve: ({ summary }) => summary.remove === 0 });
  for await (const event of run.events)
    if (event.kind === "apply_complete") log(`${event.address}: ${event.action} done`);

  const { succeeded, stacks, diagnostics } = await run.result;
  for (const one of diagnostics) log(textOf(one));
  return succeeded && stacks.every(({ plan, done }) => done !== undefined || plan?.hasChanges === false);
}

const textOf = ({ severity, summary, detail }: Diagnostic): string => `${severity}: ${summary}: ${detail}`;
