import { type Diagnostic, mergeDiagnostics } from "../../diagnostics";
import { type ConfiguredProvider, type ContainerSelection, tokenError } from "../../framework";
import { type ListLiveOptions, listLive } from "../drift/list-live";
import { withProvider } from "../drift/state-drift";
import type { LiveListing } from "../results/drift";
import type { RunContext } from "../stack-run/context";
import { interruptedRead } from "../stack-run/stack-run";

/**
 * Lists the live objects of containers.
 *
 * @param context a context whose configuration has exactly one provider and no declarations
 */
export function listWithProvider(
  context: RunContext,
  selection: ContainerSelection,
  options: Pick<ListLiveOptions, "includesType" | "includesArchived">,
): Promise<LiveListing> {
  return withProvider(context, async (run, key, isConnected) => {
    const found = isConnected
      ? await listLive(run.providerFor(key)!, run.configured(key), selection, {
          ...options,
          signal: context.stop,
          onEvent({ listed, found, last }) {
            context.onEvent?.({ kind: "progress", phase: "list", done: listed, total: found, last });
          },
        })
      : NOTHING;
    const blame = isConnected ? await refusedEverywhere(found, run.configured(key)) : undefined;
    const listing = blame === undefined ? found : { ...NOTHING, diagnostics: [blame] };
    run.report(listing.diagnostics);
    if (context.stop?.aborted) run.report([interruptedRead()]);
    return { ...listing, diagnostics: mergeDiagnostics(run.diagnostics) };
  });
}

/**
 * Returns one error about the token if the service refused to list the objects of every container. Otherwise, returns
 * undefined.
 */
async function refusedEverywhere(
  { containers, archived, objects, failures, diagnostics }: LiveListing,
  provider: ConfiguredProvider,
): Promise<Diagnostic | undefined> {
  const notFound = diagnostics.flatMap(({ refused }) => refused ?? []);
  const forbidden = failures.filter(({ isRefused }) => isRefused).map(({ container }) => container);
  const isFruitless = archived.length === 0 && objects.length === 0 && notFound.length === diagnostics.length;
  if (!isFruitless || containers.some((one) => !forbidden.includes(one))) return undefined;
  const refused = forbidden.map(({ kind, path: name }) => ({ kind, name, status: 403 }) as const);
  return tokenError([...notFound, ...refused], provider);
}

const NOTHING: LiveListing = { containers: [], archived: [], objects: [], failures: [], diagnostics: [] };
