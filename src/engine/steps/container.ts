import { containerByAttributes } from "../model/container";
import type { ChangeContainer, ResourceChange } from "../model/plan";
import type { StackRun } from "../run/stack-run";

/** A change whose container is not final yet. */
type Unplaced = { -readonly [K in keyof ResourceChange]: ResourceChange[K] };

/**
 * Completes a change of a plan by the container of its object, as far as the run knows it. A copy of each would be a large
 * part of a plan that moves everything.
 *
 * @param provider a key of the configuration
 */
export function addContainer(run: StackRun, provider: string, change: Unplaced): void {
  const { mode, action } = change;
  // What stays as it is has its container since it was planned; paths were looked up after that.
  if (mode !== "managed" || (action === "no-op" && change.container !== undefined)) return;
  const container = containerOf(run, provider, change);
  if (container !== undefined) change.container = container;
}

/** Looks up the containers of changes that only a number names: people read paths. */
export async function learnContainers(
  run: StackRun,
  changes: readonly (Pick<ResourceChange, "mode" | "type" | "before" | "after"> & {
    /** A key of the configuration. */
    readonly of: string;
  })[],
): Promise<void> {
  if (run.context.stop?.aborted) return;
  await Promise.all(
    changes.map(async ({ mode, type, before, after, of: provider }) => {
      const values = after ?? before;
      if (mode === "managed" && values !== null)
        await run.configured(provider)?.learnContainer?.(type, values);
    }),
  );
}

/** The container of an object with these values. */
export function containerOf(
  run: StackRun,
  provider: string,
  change: Parameters<typeof containerByAttributes>[0] & Pick<ResourceChange, "type">,
): ChangeContainer | undefined {
  const byAttributes = containerByAttributes(change);
  if (byAttributes === undefined) return undefined;
  const values = change.after ?? change.before ?? {};
  const known = run.configured(provider)?.containerOf?.(change.type, values);
  if (known === undefined) return byAttributes;
  const { kind, id, path, url } = known;
  const container: { -readonly [K in keyof ChangeContainer]: ChangeContainer[K] } = {
    kind,
    name: path ?? byAttributes.name,
  };
  if (id !== undefined) container.id = id;
  if (url !== undefined) container.url = url;
  return container;
}
