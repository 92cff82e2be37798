import { mergeDiagnostics } from "../../diagnostics";
import type { ContainerSelection } from "../../framework";
import { singleProvider } from "../drift/state-drift";
import { type ListLiveOptions, type LiveListing, listLive } from "../live/list-live";
import type { RunContext } from "../run/context";
import { interruptedRead } from "../run/interrupted";
import { withRun } from "../run/stack-run";

/**
 * Lists what is live in containers.
 *
 * @param context its configuration has exactly one provider and no declarations
 */
export function listWithProvider(
  context: RunContext,
  selection: ContainerSelection,
  options: Pick<ListLiveOptions, "includesType" | "includesArchived">,
): Promise<LiveListing> {
  return withRun(context, async (run) => {
    const key = singleProvider(context);
    const isConnected = run.visitProvider(key, context.configuration.providers.get(key), true) === "done";
    const listing = isConnected
      ? await listLive(run.providerFor(key)!, run.configured(key), selection, {
          ...options,
          signal: context.stop,
          onEvent({ listed, found }) {
            context.onEvent?.({ kind: "progress", phase: "list", done: listed, total: found });
          },
        })
      : NOTHING;
    run.report(listing.diagnostics);
    if (context.stop?.aborted) run.report([interruptedRead()]);
    return { ...listing, diagnostics: mergeDiagnostics(run.diagnostics) };
  });
}

const NOTHING: LiveListing = { containers: [], archived: [], objects: [], failures: [], diagnostics: [] };
